import type { ContentContext, ContentOptions, ImportSource, SourceInput } from '../source/import-source.js';
import { ImportSourceError } from '../source/import-source-error.js';
import { parseItem, type Item, type ItemFault } from './item.js';

/**
 * Reads the content of a source lazily: the next item is requested only when the caller asks for it. The iterator of
 * the source is closed when the caller stops, at `options.limit`, and when `context.signal` is aborted.
 * @returns the items in the source's order; an invalid one as a fault, after which the next item follows
 * @throws the error of a source whose iteration fails, and the reason of the signal; the iterator is closed before
 */
export async function* fetchItems(
  source: ImportSource,
  input: SourceInput,
  options: ContentOptions,
  context: ContentContext,
): AsyncGenerator<Item | ItemFault, void, undefined> {
  const { signal } = context;
  signal.throwIfAborted();
  const iterator = iteratorOf(source, source.fetchContent(input, options, context));
  const limit = options.limit ?? Infinity;
  let isOpen = true;
  try {
    for (let count = 0; count < limit; count += 1) {
      const next = await unlessAborted(iterator.next(), signal).catch((error: unknown) => {
        // A generator that throws is closed already; one that is still at work closes when it reaches its next yield.
        isOpen = signal.aborted;
        throw error;
      });
      isOpen = next.done !== true;
      if (next.done === true) return;
      yield parseItem(next.value);
    }
  } finally {
    if (isOpen) await close(iterator, signal);
  }
}

function iteratorOf(source: ImportSource, iterable: AsyncIterable<unknown>): AsyncIterator<unknown> {
  const isIterable = typeof (iterable as Partial<AsyncIterable<unknown>> | null)?.[Symbol.asyncIterator];
  if (isIterable !== 'function')
    throw new ImportSourceError(`The import source ${source.id} returned no content to iterate over`);
  return iterable[Symbol.asyncIterator]();
}

/** The result of `work`, or a rejection as soon as the signal is aborted. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let stopWaiting: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stopWaiting = () => reject(signal.reason as Error);
    if (signal.aborted) stopWaiting();
    else signal.addEventListener('abort', stopWaiting, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stopWaiting);
  }
}

/** An iterator that still waits for its next item would delay the end of an aborted run. */
async function close(iterator: AsyncIterator<unknown>, signal: AbortSignal): Promise<void> {
  const closing = (async () => iterator.return?.())().catch(() => undefined);
  if (!signal.aborted) await closing;
}
