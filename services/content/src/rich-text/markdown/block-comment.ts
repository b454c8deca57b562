import { isBlock, type Block } from './rich-text-block.js';

const comment = /^<!-- block (\{.*\}) -->$/s;

/**
 * An HTML comment with the JSON of a block that Markdown cannot represent, such as a gallery: `parseBlockComment` reads
 * the same block again.
 */
export function toBlockComment(block: Block): string {
  // Two hyphens could end the comment. They occur only in strings, where JSON can escape them.
  return `<!-- block ${JSON.stringify(block).replaceAll('--', '\\u002d\\u002d')} -->`;
}

/** Bodies of requests must not have this key either. */
function withoutPrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__ is not a key of a block');
  return value;
}

/** The block of a comment; undefined for other HTML. */
export function parseBlockComment(html: string): Block | undefined {
  const [, json] = comment.exec(html.trim()) ?? [];
  if (json === undefined) return undefined;
  try {
    const block: unknown = JSON.parse(json, withoutPrototype);
    return isBlock(block) ? block : undefined;
  } catch {
    return undefined;
  }
}
