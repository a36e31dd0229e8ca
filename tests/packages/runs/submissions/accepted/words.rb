gets
puts gets.split.chunk_while { |a, b| a == b }.map(&:size).max
