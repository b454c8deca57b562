import { RE2JS } from 're2js';

/** A pattern that is tested anywhere in a text, in time linear to the text. */
export interface CompiledPattern {
  test(text: string): boolean;
}

/**
 * Compiles the `pattern` rule of a field: JavaScript spelling, unanchored, without flags, run on a linear-time engine.
 * @throws Error when the pattern is malformed or needs look-around; of back-references `hasBackReference` tells.
 */
export function compilePattern(pattern: string): CompiledPattern {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

/**
 * Whether a pattern goes back to what a group matched (`\1`, `\k<name>`). The engine takes some of these references for
 * a letter or an octal number, and would match something else.
 */
export function hasBackReference(pattern: string): boolean {
  return /^(?:[^\\]|\\[^k1-9])*\\[k1-9]/.test(pattern);
}
