import { RE2JS } from 're2js';

/** A pattern that is tested anywhere in a text, in time linear to the text. */
export interface CompiledPattern {
  test(text: string): boolean;
}

/**
 * Compiles the `pattern` rule of a field: JavaScript syntax, unanchored, without flags, on a linear-time engine.
 * @throws Error for a malformed pattern and for look-around. Use `hasBackReference` for back-references.
 */
export function compilePattern(pattern: string): CompiledPattern {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

/**
 * Whether a pattern has a back-reference (`\1`, `\k<name>`). The engine reads some of these as a letter or an octal
 * number, and would match another text.
 */
export function hasBackReference(pattern: string): boolean {
  return /^(?:[^\\]|\\[^k1-9])*\\[k1-9]/.test(pattern);
}
