import { storableText } from './block-tree.js';
import type { Conversion } from './conversion-context.js';
import { convertFragment } from './html/convert-fragment.js';
import { Fragment } from './html/fragment.js';
import { htmlBlock, type Block } from './portable-text.js';

const place = { style: 'normal', isClassic: false, blockDepth: 1, containerDepth: 0 } as const;

/** The footnotes of an item as a numbered list, one item each; their source where their JSON is not readable. */
export function footnoteBlocks(conversion: Conversion): Block[] {
  const source = conversion.context.footnotes?.trim() ?? '';
  if (source === '') return [];
  const notes = notesOf(source);
  if (!notes) return [htmlBlock(storableText(source), { name: 'core/footnotes' })];
  return notes.flatMap((note) =>
    convertFragment(new Fragment(`<ol><li>${note}</li></ol>`), place, conversion),
  );
}

function notesOf(json: string): string[] | undefined {
  try {
    const notes: unknown = JSON.parse(json);
    return Array.isArray(notes) ? notes.map(contentOf) : undefined;
  } catch {
    return undefined;
  }
}

const contentOf = (note: unknown): string => {
  const content = typeof note === 'object' && note !== null && 'content' in note ? note.content : undefined;
  return typeof content === 'string' ? storableText(content) : '';
};
