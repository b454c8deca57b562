/** A shortcode of the source platform: `[name attribute="value"]content[/name]`. */
export interface Shortcode {
  name: string;
  /** By lower-case name. */
  attributes: ReadonlyMap<string, string>;
  /** Attributes without a name. */
  values: readonly string[];
  /** The HTML up to the closing tag, of shortcodes that have one. */
  content: string | undefined;
  source: string;
}

/** One tag. It ends at the next bracket, so that searching from each bracket takes linear time. */
export const shortcodeTag = /\[(\/?)([a-z][\w-]*)((?:\s|\/)[^[\]]*)?\]/iy;

/** A tag in double brackets is text. */
export const escapedTag = /\[(\[\/?[a-z][\w-]*(?:[\s/][^[\]]*)?\])\]/iy;

const attribute = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|'([^']*)'|(\S+)/g;

/** Reads attributes in double, single or no quotes (contract section 3.3). Entities are not decoded. */
export function parseShortcodeAttributes(text: string): Pick<Shortcode, 'attributes' | 'values'> {
  const attributes = new Map<string, string>();
  const values: string[] = [];
  // The editor may replace the quotes by typographic ones, and spaces by U+00A0.
  const plain = text.replace(/[\u201c\u201d\u2033]/g, '"').replace(/[\u00a0\u200b]/g, ' ');
  for (const [, name, ...found] of plain.replace(/\/\s*$/, '').matchAll(attribute)) {
    const value = found.find((each) => each !== undefined) ?? '';
    if (name === undefined) values.push(value);
    else attributes.set(name.toLowerCase(), value);
  }
  return { attributes, values };
}
