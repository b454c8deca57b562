import { describe, expect, it } from '@jest/globals';
import type { ContentContext, ContentOptions, ImportSource, SourceInput } from '../source/import-source.js';
import { fetchItems } from './fetch-items.js';
import type { Item, ItemFault, ItemInput } from './item.js';

const input: SourceInput = { type: 'url', url: 'https://site.example' };
const all: ContentOptions = { postTypes: ['post'] };
const item = (number: number): ItemInput => ({
  sourceId: number,
  postType: 'post',
  status: 'publish',
  slug: `slug-${number}`,
  title: `Title ${number}`,
  content: [],
  date: '2024-06-01',
});

/** A source whose steps are recorded. */
class RecordedSource implements ImportSource {
  readonly id = 'recorded';
  readonly name = 'Recorded';
  readonly description = 'Yields what it is given.';
  readonly icon = 'plug';
  readonly steps: string[] = [];
  options: ContentOptions | undefined;

  constructor(private readonly yielded: readonly unknown[]) {}

  analyze() {
    return Promise.reject(new Error('not used'));
  }

  async *fetchContent(_input: SourceInput, options: ContentOptions) {
    this.options = options;
    try {
      for (const [index, value] of this.yielded.entries()) {
        this.steps.push(`yield ${index}`);
        if (value instanceof Error) throw value;
        if (value instanceof Promise) await value;
        yield value as ItemInput;
      }
    } finally {
      this.steps.push('closed');
    }
  }
}

const contextWith = (signal: AbortSignal = new AbortController().signal): ContentContext => ({
  toRichText: () => [],
  fetch: () => Promise.reject(new Error('not used')),
  signal,
});
const read = async (source: ImportSource, options = all, context = contextWith()) => {
  const entries: (Item | ItemFault)[] = [];
  for await (const entry of fetchItems(source, input, options, context)) entries.push(entry);
  return entries;
};

describe('fetchItems', () => {
  it('yields the items in order, and an invalid one as a fault', async () => {
    const source = new RecordedSource([item(1), { ...item(2), status: 'gone' }, 'text', item(3)]);
    const entries = await read(source, { postTypes: ['post'], includeDrafts: true });
    expect(entries).toEqual([
      expect.objectContaining({ sourceId: '1', date: '2024-06-01T00:00:00.000Z' }),
      { title: 'Title 2', sourceId: '2', fault: expect.stringMatching(/^status: /) },
      { title: '', sourceId: null, fault: expect.any(String) },
      expect.objectContaining({ sourceId: '3' }),
    ]);
    expect(source.options).toEqual({ postTypes: ['post'], includeDrafts: true });
    expect(source.steps.at(-1)).toBe('closed');
  });

  it('requests an item only when the caller asks for it', async () => {
    const source = new RecordedSource([item(1), item(2), item(3)]);
    const entries = fetchItems(source, input, all, contextWith());
    expect(source.steps).toEqual([]);
    await entries.next();
    expect(source.steps).toEqual(['yield 0']);
    await entries.next();
    expect(source.steps).toEqual(['yield 0', 'yield 1']);
    await entries.return();
  });

  it('closes the iterator when the caller stops', async () => {
    const source = new RecordedSource([item(1), item(2)]);
    for await (const entry of fetchItems(source, input, all, contextWith())) if ('sourceId' in entry) break;
    expect(source.steps).toEqual(['yield 0', 'closed']);
  });

  it('closes the iterator when the caller throws', async () => {
    const source = new RecordedSource([item(1), item(2)]);
    const failing = async () => {
      for await (const { title } of fetchItems(source, input, all, contextWith())) throw new Error(title);
    };
    await expect(failing()).rejects.toThrow('Title 1');
    expect(source.steps).toEqual(['yield 0', 'closed']);
  });

  it('stops at the limit of a source that ignores it', async () => {
    const source = new RecordedSource([item(1), item(2), item(3)]);
    expect(await read(source, { ...all, limit: 2 })).toHaveLength(2);
    expect(source.steps).toEqual(['yield 0', 'yield 1', 'closed']);
  });

  it('passes on the error of the source', async () => {
    const source = new RecordedSource([item(1), new Error('connection lost'), item(2)]);
    await expect(read(source)).rejects.toThrow('connection lost');
    expect(source.steps.at(-1)).toBe('closed');
  });

  it('does not wait for a source that hangs when the run is aborted', async () => {
    const run = new AbortController();
    const source = new RecordedSource([item(1), new Promise(() => undefined)]);
    const entries = fetchItems(source, input, all, contextWith(run.signal));
    await entries.next();
    const second = entries.next();
    run.abort(new Error('run stopped'));
    await expect(second).rejects.toThrow('run stopped');
  });

  it('closes the iterator of an aborted run', async () => {
    const run = new AbortController();
    const source = new RecordedSource([item(1), item(2)]);
    const entries = fetchItems(source, input, all, contextWith(run.signal));
    await entries.next();
    run.abort(new Error('run stopped'));
    await expect(entries.next()).rejects.toThrow('run stopped');
    await new Promise(setImmediate);
    expect(source.steps.at(-1)).toBe('closed');
  });

  it('does not begin an aborted run', async () => {
    const source = new RecordedSource([item(1)]);
    await expect(read(source, all, contextWith(AbortSignal.abort(new Error('stopped'))))).rejects.toThrow(
      'stopped',
    );
    expect(source.steps).toEqual([]);
  });

  it('rejects a source whose content is no iterable', async () => {
    const source = { ...new RecordedSource([]), fetchContent: () => undefined } as unknown as ImportSource;
    await expect(read(source)).rejects.toThrow('The import source recorded returned no content');
  });
});
