/** A block of rich text: an object with a `_type` (spec document 3, portableText). */
export type Block = Record<string, unknown> & { _type: string };

export interface Span {
  _type: 'span';
  _key: string;
  text: string;
  marks: string[];
}

/** The target of a link, which spans name as a mark. */
export interface Link {
  _type: 'link';
  _key: string;
  href: string;
  title?: string;
  blank?: true;
}

/** The text of a block with the links in it. */
export interface SpanContent {
  children: Span[];
  markDefs: Link[];
}

export function isBlock(value: unknown): value is Block {
  return isRecord(value) && typeof value['_type'] === 'string';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an object has no other properties than these. */
export function hasOnly(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}

/** Whether a property is absent or a string. */
export function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
