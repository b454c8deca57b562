import { setImmediate } from 'node:timers/promises';
import type { CollectionDefinition } from '../schema/index.js';
import { toMarkdown } from '../rich-text/index.js';
import type { EntryValues } from './entry-row.js';

/** Values of a response. */
interface WithValues {
  data: EntryValues;
  liveData?: EntryValues;
}

/**
 * Converts the rich text in the values of a response to Markdown, also inside blocks (contract 4, Markdown of the MCP
 * tools). Other work of the process runs between two items.
 */
export async function convertToMarkdown(
  definition: CollectionDefinition,
  items: readonly WithValues[],
): Promise<void> {
  for (const item of items) {
    item.data = inMarkdown(definition, item.data);
    if (item.liveData) item.liveData = inMarkdown(definition, item.liveData);
    await setImmediate();
  }
}

function inMarkdown({ columns, blockFields }: CollectionDefinition, values: EntryValues): EntryValues {
  const converted = { ...values };
  for (const { slug, type } of columns) {
    if (!Object.hasOwn(values, slug)) continue;
    const value = values[slug];
    if (type === 'portableText') converted[slug] = textOf(value);
    if (type === 'blocks' && Array.isArray(value))
      converted[slug] = value.map((block: unknown) => blockInMarkdown(block, blockFields));
  }
  return converted;
}

function blockInMarkdown(block: unknown, blockFields: CollectionDefinition['blockFields']): unknown {
  const { _type, _version } = Object(block) as Record<string, unknown>;
  const fields =
    typeof _type === 'string' && typeof _version === 'number' ? blockFields(_type, _version) : null;
  return fields
    ? fields.reduce<Record<string, unknown>>(
        (converted, { slug, type }) =>
          type === 'portableText' && Object.hasOwn(converted, slug)
            ? { ...converted, [slug]: textOf(converted[slug]) }
            : converted,
        block as Record<string, unknown>,
      )
    : block;
}

const textOf = (value: unknown): unknown => (Array.isArray(value) ? toMarkdown(value) : value);
