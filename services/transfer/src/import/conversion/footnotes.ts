import type { Conversion } from './conversion-context.js';
import { convertFragment } from './html/convert-fragment.js';
import { Fragment } from './html/fragment.js';
import type { Block } from './portable-text.js';

const place = { style: 'normal', isClassic: false, blockDepth: 1, containerDepth: 0 } as const;

/** The footnotes of an item as a numbered list, one item each; none where their JSON is not readable. */
export function footnoteBlocks(conversion: Conversion): Block[] {
  return notesOf(conversion.context.footnotes).flatMap((note) =>
    convertFragment(new Fragment(`<ol><li>${note}</li></ol>`), place, conversion),
  );
}

function notesOf(json: string | undefined): string[] {
  if (json === undefined || json.trim() === '') return [];
  try {
    const notes: unknown = JSON.parse(json);
    return Array.isArray(notes) ? notes.map(contentOf) : [];
  } catch {
    return [];
  }
}

const contentOf = (note: unknown): string => {
  const content = typeof note === 'object' && note !== null && 'content' in note ? note.content : undefined;
  return typeof content === 'string' ? content : '';
};
