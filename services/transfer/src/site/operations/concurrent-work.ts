/** Parts of a step that go on at the same time. */
export class ConcurrentWork {
  private readonly running = new Set<Promise<void>>();
  private failure: { error: unknown } | undefined;

  /** @param limit number of parts */
  constructor(private readonly limit: number) {}

  /**
   * Begins a part once fewer than the limit go on.
   * @throws the error of an earlier part; then this one does not begin
   */
  async add(work: () => Promise<unknown>): Promise<void> {
    while (this.running.size >= this.limit) await Promise.race(this.running);
    this.throwFailure();
    const part: Promise<void> = work().then(
      () => void this.running.delete(part),
      (error: unknown) => {
        this.running.delete(part);
        this.failure ??= { error };
      },
    );
    this.running.add(part);
  }

  /** Waits until all parts have ended. @throws the error of the first that has failed */
  async settle(): Promise<void> {
    await Promise.all(this.running);
    this.throwFailure();
  }

  private throwFailure(): void {
    if (this.failure) throw this.failure.error;
  }
}
