//! A test plugin with passes of each kind.

use bpa::inkwell::attributes::AttributeLoc;
use bpa::inkwell::values::AsValueRef;
use bpa::plugin::{OptionError, Options, Preserved, Registry};
use bpa::{Analysis, Function, Module};

bpa::plugin!("test-plugin", register);

fn register(registry: &mut Registry) {
    registry.add_printer("test-name", |function| eprintln!("{}", function.name()));
    registry.add_printer_with("test-print", &["times=N", "loud"], print);
    registry.add_printer("test-cached", |function| {
        let LoopCount { loops, blocks } = *function.cached();
        eprintln!("{}: {loops} loops, {blocks} blocks", function.name());
    });
    registry.add_pass_with("test-change", &["value=WORD"], change);
    registry.add_module_pass("test-list", list);
    registry.add_module_pass("test-grow", grow);
    registry.add_module_pass_with("test-preserve", &["what=KIND"], preserve);
    registry.add_module_pass_with("test-replace", &["what=KIND"], replace);
    registry.add_pass("test-panic", |function| panic!("there is no {}", function.name()));
    registry.add_pass("test-panic-on-thread", |_| {
        let thread = std::thread::spawn(|| panic!("of a thread"));
        assert!(thread.join().is_err());
        Preserved::All
    });
    registry.add_pass("test-panic-twice", |_| {
        let _guard = PanicsWhenDropped;
        panic!("the first");
    });
    registry.add_pass("test-panic-after-another", |function| {
        let _ = std::panic::catch_unwind(|| panic!("this panic is expected"));
        panic!("there is no {}", function.name())
    });
    registry.add_pass("test-unterminate", |function| {
        let last = function.value().get_last_basic_block().and_then(|block| block.get_terminator());
        last.expect("the function is well formed").erase_from_basic_block();
        Preserved::Nothing
    });
    registry.add_module_pass("test-module-panic", |_| panic!("no\nmodule"));
    registry.add_pass_with("test-make-panic", &["a"], |options| {
        let _ = options.has("b");
        Ok(|_: &mut Function<'_>| Preserved::All)
    });
    if std::env::var_os("TEST_ADD_PASSES").is_some() {
        bpa::plugin::add_passes(registry);
    }
    // The extension points and passes to add, as `POINT:PASS` pairs.
    for extension in std::env::var("TEST_EXTEND").unwrap_or_default().split_whitespace() {
        let (point, pass) = extension.split_once(':').expect("the pair is POINT:PASS");
        registry.extend(point, pass);
    }
}

/// An analysis that requests the analysis `BlockCount`. `LoopCount` and `BlockCount` print a line when LLVM computes
/// them.
struct LoopCount {
    loops: usize,
    blocks: usize,
}

struct BlockCount(usize);

impl Analysis for LoopCount {
    fn compute(function: &Function<'_>) -> Self {
        eprintln!("computing LoopCount of {}", function.name());
        let BlockCount(blocks) = *function.cached();
        LoopCount { loops: function.cached_profile().loops().loops().count(), blocks }
    }
}

impl Analysis for BlockCount {
    fn compute(function: &Function<'_>) -> Self {
        eprintln!("computing BlockCount of {}", function.name());
        BlockCount(function.value().count_basic_blocks() as usize)
    }
}

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("the second");
    }
}

fn print(options: &Options) -> Result<impl Fn(&Function) + use<>, OptionError> {
    let times = options.number("times", 1..=3_u32)?.unwrap_or(1);
    options.keep_apart(&["loud"], "times")?;
    let end = if options.has("loud") { "!" } else { "" };
    Ok(move |function: &Function| {
        for _ in 0..times {
            eprintln!("{}{end}", function.name());
        }
    })
}

/// Adds the attribute `test` to a function.
fn change(options: &Options) -> Result<impl Fn(&mut Function) -> Preserved + use<>, OptionError> {
    let value = options.value("value", "some letters", |text| {
        (!text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic())).then(|| text.to_string())
    })?;
    let value = value.unwrap_or("none".into());
    Ok(move |function: &mut Function| {
        let context = function.value().get_type().get_context();
        let attribute = context.create_string_attribute("test", &value);
        function.value().add_attribute(AttributeLoc::Function, attribute);
        Preserved::ControlFlow
    })
}

/// Prints the frequency of the last block of each function.
fn list(module: &mut Module) -> Preserved {
    eprintln!("module {}", module.name());
    for function in module.functions() {
        let profile = function.profile();
        let last = profile.blocks().last().expect("a function has blocks");
        eprintln!("{} {} {}", function.name(), profile.block_name(last), profile.frequency(last));
    }
    Preserved::All
}

/// Adds a function, but reports that the pass preserves all analyses.
fn grow(module: &mut Module) -> Preserved {
    let context = module.context();
    let function = module.add_function("grown", context.void_type().fn_type(&[], false), None);
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(function, "entry"));
    builder.build_return(None).expect("the block has no terminator");
    assert_eq!(module.function("grown").map(|function| function.value()), Some(function));
    Preserved::All
}

/// The analyses that a pass reports as preserved.
fn preserved(options: &Options) -> Result<Preserved, OptionError> {
    let what = options.value("what", "all, graph or none", |text| match text {
        "all" => Some(Preserved::All),
        "graph" => Some(Preserved::ControlFlow),
        "none" => Some(Preserved::Nothing),
        _ => None,
    })?;
    Ok(what.unwrap_or(Preserved::All))
}

/// Creates a pass that changes nothing, and that reports the analyses in the option `what` as preserved.
fn preserve(options: &Options) -> Result<impl Fn(&mut Module) -> Preserved + use<>, OptionError> {
    let what = preserved(options)?;
    Ok(move |_: &mut Module| what)
}

/// Creates a pass that replaces `@f` by a new function. The new function has one block, and has the address of `@f`.
fn replace(options: &Options) -> Result<impl Fn(&mut Module) -> Preserved + use<>, OptionError> {
    let what = preserved(options)?;
    Ok(move |module: &mut Module| {
        let old = module.function("f").expect("the module has @f").value();
        let (address, kind) = (old.as_value_ref(), old.get_type());
        let mut many = (0..1000).map(|_| module.add_function("new", kind, None));
        // These functions use up the free memory, so the allocator must reuse the memory of `@f` afterwards.
        assert!(many.by_ref().take(500).all(|function| function != old));
        // SAFETY: the function has no uses.
        unsafe { old.delete() };
        let new = many.find(|function| function.as_value_ref() == address);
        let new = new.expect("the allocator reuses the memory");
        let context = module.context();
        let builder = context.create_builder();
        builder.position_at_end(context.append_basic_block(new, "only"));
        builder.build_return(None).expect("the block has no terminator");
        what
    })
}
