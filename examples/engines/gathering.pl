#!/usr/bin/env perl
# An engine in Perl for games on a grid: it writes the sum beside the numbers that it equals.
use strict;
use warnings;

$| = 1;    # say everything at once
my ($sum, @sheet, @legal);
while (my $line = <STDIN>) {
    chomp $line;
    my ($word, $rest) = split / /, $line, 2;
    if    ($word eq 'kasta') { print "name gathering\nok\n" }
    elsif ($word eq 'load')  { print "ok\n" }
    elsif ($word eq 'game')  { @sheet = @legal = () }
    elsif ($word eq 'sheet') { push @sheet, [$rest =~ /\d+|\./g] }
    elsif ($word eq 'roll')  { $sum = 0; $sum += $_ for split / /, $rest }
    elsif ($word eq 'legal') { push @legal, $rest }
    elsif ($word eq 'go')    { print 'do ', best(), "\n" }
    elsif ($word eq 'quit')  { last }
}

sub best {
    my ($found) = sort { equal($b) <=> equal($a) } @legal;
    return $found;
}

# How many numbers of the same row or column equal the sum. What is no cell, such as a circle, counts most.
sub equal {
    my ($action) = @_;
    return $action eq '-' ? 0 : 9 if $action !~ /^([a-e])([1-5])$/;
    my ($column, $row) = (ord($1) - ord('a'), $2 - 1);
    return scalar grep { $_ eq $sum } @{ $sheet[$row] }, map { $_->[$column] } @sheet;
}
