import { RE2JS } from 're2js';

/** A pattern that is tested anywhere in a text, in time linear to the text. */
export interface CompiledPattern {
  test(text: string): boolean;
}

/**
 * Compiles the `pattern` rule of a field: JavaScript spelling, unanchored, without flags, run on a linear-time engine.
 * @throws Error when the pattern is malformed or needs backtracking (look-around, back-references)
 */
export function compilePattern(pattern: string): CompiledPattern {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}
