import { randomUUID } from 'node:crypto';

/** The texts that one call of `stringifyJson` has found, in the order of the output. */
interface Writing {
  /** Generated for every call with such a text, so that no text of a client can contain it. */
  placeholder?: string;
  texts: string[];
}

/** JSON.stringify is synchronous: at most one call is under way. */
let writing: Writing | undefined;

/**
 * A JSON value as its source text, white space included: it preserves integers beyond 2^53 and the order of keys. The
 * text is valid JSON.
 */
export class JsonText {
  constructor(readonly text: string) {}

  /** The value in the precision of JavaScript. */
  parse(): unknown {
    return JSON.parse(this.text);
  }

  /** Under `stringifyJson` a placeholder of the text; under any other JSON.stringify the parsed value. */
  toJSON(): unknown {
    if (!writing) return this.parse();
    writing.texts.push(this.text);
    return (writing.placeholder ??= randomUUID());
  }
}

/**
 * JSON.stringify that writes the source text of every `JsonText` in a value. The overhead without one is negligible.
 * @param value not undefined
 */
export function stringifyJson(value: unknown): string {
  const own: Writing = { texts: [] };
  const outer = writing;
  writing = own;
  let written: string;
  try {
    written = JSON.stringify(value);
  } finally {
    writing = outer;
  }
  if (own.placeholder === undefined) return written;
  const parts = written.split(`"${own.placeholder}"`);
  return parts.reduce((text, part, index) => text + String(own.texts[index - 1]) + part);
}
