// The package is CommonJS with names that Node does not detect.
import jsonc from 'jsonc-parser';

const onlyJson = { disallowComments: true, allowTrailingComma: false };

/**
 * The source texts of the members of an object inside a body.
 * @param text a JSON object that a JSON parser has accepted, with bounded nesting
 * @param name name of the body's member with the object
 * @returns the texts by member name; the last of repeated names counts, as for JSON.parse
 */
export function memberTexts(text: string, name: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let depth = 0;
  let isInside = false;
  let member: string | undefined;
  let start = 0;
  const begin = (offset: number): void => {
    if (depth === 2 && member !== undefined) start = offset;
    depth += 1;
  };
  const end = (offset: number, length: number): void => {
    depth -= 1;
    if (depth === 2) keep(start, offset + length);
  };
  const keep = (from: number, to: number): void => {
    if (member !== undefined) texts.set(member, text.slice(from, to));
    member = undefined;
  };
  jsonc.visit(
    text,
    {
      onObjectBegin: begin,
      onArrayBegin: begin,
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty: (property) => {
        if (depth === 1) {
          isInside = property === name;
          if (isInside) texts.clear();
        } else if (depth === 2 && isInside) member = property;
      },
      onLiteralValue: (_value, offset, length) => {
        if (depth === 2) keep(offset, offset + length);
      },
    },
    onlyJson,
  );
  return texts;
}
