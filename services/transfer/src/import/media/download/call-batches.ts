interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface CallBatchesOptions<Item, Result> {
  /** Makes one call for several items. @returns a result for each, in their order */
  call: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items of one call. */
  maxItems: number;
  /** Calls of one key at a time. */
  maxCalls: number;
}

/**
 * Makes calls for several items together: items that are added while calls run wait for the next call. A failed call
 * fails all of its items.
 */
export class CallBatches<Item, Result> {
  /** Items without a call by key. Keys without calls and items have no entry. */
  private readonly waiting = new Map<string, Waiting<Item, Result>[]>();
  private readonly running = new Map<string, number>();

  constructor(private readonly options: CallBatchesOptions<Item, Result>) {}

  /** @param key items of different keys are not in one call, and do not wait for each other */
  add(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = this.waiting.get(key) ?? [];
      waiting.push({ item, resolve, reject });
      this.waiting.set(key, waiting);
      const running = this.running.get(key) ?? 0;
      if (running < this.options.maxCalls) void this.run(key, running + 1);
    });
  }

  /** Never rejects. */
  private async run(key: string, running: number): Promise<void> {
    this.running.set(key, running);
    // Items that are added in the same turn of the event loop have one call.
    await new Promise(setImmediate);
    for (let batch = this.take(key); batch.length > 0; batch = this.take(key)) await this.callFor(batch);
    const others = (this.running.get(key) ?? 0) - 1;
    if (others > 0) this.running.set(key, others);
    else this.running.delete(key);
  }

  private take(key: string): Waiting<Item, Result>[] {
    const waiting = this.waiting.get(key) ?? [];
    const batch = waiting.splice(0, this.options.maxItems);
    if (waiting.length === 0) this.waiting.delete(key);
    return batch;
  }

  private async callFor(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.call(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('A call returned another number of results');
      results.forEach((result, index) => batch[index]?.resolve(result));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
