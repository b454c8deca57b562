import { describe, expect, it } from '@jest/globals';
import { convertContent } from './convert-content.js';
import type { ExportItem } from '../export-file/index.js';
import type { ConversionContext } from './conversion-context.js';
import { contextOf, exportedItems, exportFiles, footnotesOf } from './testing/exported-items.fixture.js';
import { resultWords, sourceWords, type SourceFacts } from './testing/words.fixture.js';

/** Types whose body the import keeps. */
const isContent = (type: string): boolean => type !== 'attachment' && type !== 'nav_menu_item';

const notesOf = (json = '[]'): string[] =>
  (JSON.parse(json) as { content: string }[]).map(({ content }) => content);

function factsOf(item: ExportItem, context: ConversionContext): SourceFacts {
  return {
    footnotes: notesOf(footnotesOf(item)),
    isKnownGallery: (tag) => {
      const ids = /ids="([\d,]*)"/.exec(tag)?.[1]?.split(',').map(Number);
      return ids ? ids.some((id) => context.attachment(id)) : context.childAttachments().length > 0;
    },
  };
}

/** Section 3.3: the caption of a shortcode may precede its image; section 3.2: captions of tables follow the cells. */
const isReordered = (body: string): boolean => /\[(?:wp_)?caption|<tfoot|<caption/.test(body);

const exports = await Promise.all(
  exportFiles.map(async (file) => ({ file, items: await exportedItems(file) })),
);

describe.each(exports)('bodies of $file', ({ items }) => {
  const cases = items
    .filter(({ type, content }) => isContent(type) && content.trim() !== '')
    .map((item) => [`${item.type} ${item.sourceId} ${item.title}`, item] as const);

  it.each(cases)('keep every word: %s', (_, item) => {
    const context = contextOf(item, items);
    const { blocks } = convertContent(item.content, context);
    const source = sourceWords(item.content, factsOf(item, context));
    const result = resultWords(blocks);
    if (isReordered(item.content)) expect(result.sort()).toEqual(source.sort());
    else expect(result).toEqual(source);
  });
});

describe('the words of a result', () => {
  it('differ from those of a source with one word more', () => {
    const item = exports.at(-1)?.items[0];
    if (!item) throw new Error('The file has no items.');
    const context = contextOf(item, []);
    const { blocks } = convertContent(item.content, context);
    expect(resultWords(blocks)).not.toEqual(sourceWords(`${item.content} more`, factsOf(item, context)));
  });
});
