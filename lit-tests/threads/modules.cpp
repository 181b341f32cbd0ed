// As in a ThinLTO link, one process optimises several modules in parallel. Each module has a separate context and pass
// builder. The changed IR and the printed output equal the result of a serial optimisation.
// REQUIRES: llvm-ge-15
// RUN: rm -rf %t.d && %scripts/dev generate --out %t.d --functions 600 --per-module 10 --seed 7 --llvm %llvm_version
// RUN: %cxx %s %llvm_flags -o %t
// RUN: %python -c 'import glob; print(*sorted(glob.glob("%t.d/*.ll")), sep="\n")' > %t.files
// RUN: %t %plugin 1 < %t.files > %t.serial 2> %t.serial.printed
// RUN: %t %plugin 4 < %t.files > %t.parallel 2> %t.parallel.printed
// RUN: grep -c branch_weights %t.serial
// RUN: diff %t.serial %t.parallel
// The order of the modules in the output can change, but the lines of one module are not interleaved with other lines.
// RUN: %python -c 'import sys; one, two = ([*sorted(open(f, "rb").read().split(b"Printing "))] for f in sys.argv[1:]); sys.exit(one != two or len(one) < 1000)' %t.serial.printed %t.parallel.printed

#include "../Inputs/pass_plugin.h"

#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

using namespace llvm;

static const char *Pipeline = "print<rust-bpi>,require<rust-bfi>,print<rust-bias>,rust-bpi<annotate>,"
                              "function(simplifycfg,print<rust-bfi>),rust-lower-expect,rust-bpi<annotate;overwrite>";

static std::string result(const std::string &file, PassPlugin &plugin) {
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseIRFile(file, problem, context);
  if (!module)
    return "cannot read " + file + "\n";
  Builder builder(context);
  plugin.registerPassBuilderCallbacks(builder);
  Analyses analyses;
  analyses.add(builder);
  if (Error error = analyses.run(builder, Pipeline, *module))
    return toString(std::move(error)) + "\n";
  std::string text;
  raw_string_ostream out(text);
  module->print(out, nullptr);
  return out.str();
}

int main(int, char **arguments) {
  PassPlugin plugin = loadPlugin(arguments[1]);
  std::vector<std::string> files;
  for (std::string file; std::getline(std::cin, file);)
    files.push_back(file);
  std::vector<std::string> results(files.size());
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i; (i = next++) < files.size();)
      results[i] = result(files[i], plugin);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < std::stoi(arguments[2]); ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &text : results)
    std::cout << text;
}
