import { randomUUID } from 'node:crypto';

/** The texts that one call of `stringifyJson` has met, in the order in which it writes them. */
interface Writing {
  /** Generated for every call with such a text, so that no text of a client can contain it. */
  placeholder?: string;
  texts: string[];
}

/** JSON.stringify is synchronous: at most one call is under way. */
let writing: Writing | undefined;

/**
 * A JSON value kept as its source text, white space included: integers beyond 2^53 and the order of keys are in it.
 * The text is known to be valid JSON.
 */
export class JsonText {
  constructor(readonly text: string) {}

  /** The value as far as JavaScript can hold it. */
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
 * JSON.stringify that writes the source text of every `JsonText` in a value. A value without one costs next to nothing
 * more.
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
