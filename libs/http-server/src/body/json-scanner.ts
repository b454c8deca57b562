import { invalidInput, type QuireError } from '@quire/errors';

/** Maximum nesting of arrays and objects in a JSON body. */
export const maxJsonDepth = 100;
/** Maximum number of values in a JSON body: parsing time depends on values more than on bytes. */
export const maxJsonValues = 500_000;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Bounds the nesting and the number of values of a JSON text while it is received, before it is parsed. */
export class JsonScanner {
  private depth = 0;
  private values = 1;
  private isInString = false;
  private isEscaped = false;

  /** Scans the next bytes. @throws QuireError VALIDATION_ERROR as soon as a bound is exceeded */
  scan(chunk: Uint8Array): void {
    const { length } = chunk;
    let { depth, values, isInString, isEscaped } = this;
    // An indexed loop takes a quarter of the time of an iterator here.
    for (let index = 0; index < length; index += 1) {
      const byte = chunk[index];
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInString = false;
      } else if (byte === quote) {
        isInString = true;
      } else if (byte === comma) {
        values += 1;
      } else if (byte === openBrace || byte === openBracket) {
        depth += 1;
        values += 1;
        if (depth > maxJsonDepth) throw tooComplex(`is nested deeper than ${maxJsonDepth} levels`);
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
      }
    }
    if (values > maxJsonValues) throw tooComplex(`has more than ${maxJsonValues} values`);
    this.depth = depth;
    this.values = values;
    this.isInString = isInString;
    this.isEscaped = isEscaped;
  }
}

function tooComplex(message: string): QuireError {
  return invalidInput([{ path: '', message }]);
}
