/** Longer texts are not tested here: the engine of the browser may take exponential time. The server tests them. */
const maxLength = 2_000;

/** The part of the package `re2js` that checks patterns, with the engine of the browser. */
export class RE2JS {
  private constructor(private readonly expression: RegExp) {}

  static translateRegExp(pattern: string): string {
    return pattern;
  }

  /** @throws SyntaxError for a pattern that the browser does not know */
  static compile(pattern: string): RE2JS {
    return new RE2JS(new RegExp(pattern, 'u'));
  }

  test(text: string): boolean {
    return text.length > maxLength || this.expression.test(text);
  }
}
