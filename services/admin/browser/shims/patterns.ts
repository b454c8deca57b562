/** Longer texts are not tested here: the engine of the browser takes quadratic time for common patterns. */
const maxLength = 2_000;
/** A pattern that has taken as long once is not tested here again: its time may double with each letter typed. */
const maxMs = 50;

/**
 * The part of the package `re2js` that checks patterns, with the engine of the browser. The server tests what is not
 * tested here.
 */
export class RE2JS {
  #isSlow = false;

  private constructor(private readonly expression: RegExp | undefined) {}

  static translateRegExp(pattern: string): string {
    return pattern;
  }

  /** A pattern that the browser does not know accepts every text. */
  static compile(pattern: string): RE2JS {
    try {
      return new RE2JS(new RegExp(pattern, 'u'));
    } catch {
      return new RE2JS(undefined);
    }
  }

  test(text: string): boolean {
    if (!this.expression || this.#isSlow || text.length > maxLength) return true;
    const start = performance.now();
    const matches = this.expression.test(text);
    this.#isSlow = performance.now() - start > maxMs;
    return matches;
  }
}
