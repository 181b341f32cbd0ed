# What scripts do: strings, hashes, blocks, classes, exceptions.
class Shape
  attr_reader :name
  def initialize(name) = @name = name
  def <=>(other) = area <=> other.area
  include Comparable
end

class Circle < Shape
  def initialize(radius)
    super('circle')
    @radius = radius
  end
  def area = 3.14159 * @radius * @radius
end

class Box < Shape
  def initialize(wide, high)
    super('box')
    @wide, @high = wide, high
  end
  def area = @wide * @high
  def method_missing(name, *rest)
    name == :volume ? area * rest[0] : super
  end
end

seed = 17
draw = ->(limit) { (seed = (seed * 1103515245 + 12345) % 2147483648) / 7 % limit }
shapes = (1..3000).map { |n| n % 2 == 1 ? Circle.new(draw.(50)) : Box.new(draw.(90), draw.(90)) }
puts shapes.sort.last.name, shapes.group_by(&:name).map { |name, list| "#{name} #{list.size}" }.join(', ')
words = %w[time year people way day man thing woman life child world school state family student group]
text = (0...6000).map { words[draw.(16)] + (draw.(5) == 0 ? '.' : '') }.join(' ')
count = Hash.new(0)
text.split(' ').each { |word| count[word.capitalize] += 1 }
count.sort_by { |word, n| [-n, word] }.first(5).each { |word, n| puts "#{word}: #{n}" }
puts text.split('. ').map(&:reverse).map(&:size).inject(:+)
queue, seen = [[0, 0]], {}
until queue.empty?
  x, y = queue.shift
  next if seen[[x, y]] || x.abs + y.abs > 25
  seen[[x, y]] = true
  [[1, 0], [-1, 0], [0, 1], [0, -1]].each { |dx, dy| queue << [x + dx, y + dy] unless (x * y + dx) % 7 == 3 }
end
puts seen.size
failures = 0
2000.times do |n|
  begin
    raise ArgumentError, 'odd' if n % 3 == 0
    n % 5 == 0 ? Box.new(1, 2).nothing : Box.new(n, 2).volume(3)
  rescue ArgumentError => error
    failures += error.message.size
  rescue NoMethodError
    failures += 1
  ensure
    failures += 0
  end
end
puts failures
matrix = (0...40).map { |i| (0...40).map { |j| (i * j) % 7 + 0.5 } }
product = matrix.map { |row| matrix.transpose.map { |column| row.zip(column).map { |a, b| a * b }.inject(:+) } }
puts product[3][4], format('%08.3f %x %-5s|', 3.14159, 48879, 'ab')
fiber = Fiber.new { 200.times { |n| Fiber.yield n * n }; nil }
total = 0
while (value = fiber.resume)
  total += value
end
puts total, (1..400).select { |n| (2..n / 2).none? { |d| n % d == 0 } }.size, 'héllo wörld'.upcase, text[10..40].sub('time', 'T')
