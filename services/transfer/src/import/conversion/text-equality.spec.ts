import { describe, expect, it } from '@jest/globals';
import { convertContent } from './convert-content.js';
import type { ConversionContext } from './conversion-context.js';
import { contextOf, exportedItems, exportFiles, type ExportedItem } from './testing/exported-items.js';
import { resultWords, sourceWords, type SourceFacts } from './testing/words.js';

/** Types whose body the import keeps. */
const isContent = (type: string): boolean => type !== 'attachment' && type !== 'nav_menu_item';

const notesOf = (json = '[]'): string[] =>
  (JSON.parse(json) as { content: string }[]).map(({ content }) => content);

function factsOf(item: ExportedItem, context: ConversionContext): SourceFacts {
  return {
    footnotes: notesOf(item.footnotes),
    isKnownGallery: (tag) => {
      const ids = /ids="([\d,]*)"/.exec(tag)?.[1]?.split(',').map(Number);
      return ids ? ids.some((id) => context.attachment(id)) : context.childAttachments().length > 0;
    },
  };
}

/** Section 3.3: the caption of a shortcode may precede its image; section 3.2: captions of tables follow the cells. */
const isReordered = (body: string): boolean => /\[(?:wp_)?caption|<tfoot|<caption/.test(body);

describe.each(exportFiles)('bodies of %s', (file) => {
  const items = exportedItems(file);
  const cases = items
    .filter(({ type, body }) => isContent(type) && body.trim() !== '')
    .map((item) => [`${item.type} ${item.id} ${item.title}`, item] as const);

  it.each(cases)('keep every word: %s', (_, item) => {
    const context = contextOf(item, items);
    const { blocks } = convertContent(item.body, context);
    const source = sourceWords(item.body, factsOf(item, context));
    const result = resultWords(blocks);
    if (isReordered(item.body)) expect(result.sort()).toEqual(source.sort());
    else expect(result).toEqual(source);
  });
});

describe('the words of a result', () => {
  it('differ from those of a source with one word more', () => {
    const [item] = exportedItems('edge-cases.xml');
    if (!item) throw new Error('The file has no items.');
    const context = contextOf(item, []);
    const { blocks } = convertContent(item.body, context);
    expect(resultWords(blocks)).not.toEqual(sourceWords(`${item.body} more`, factsOf(item, context)));
  });
});
