/** Functions that are called at an event. */
export class ListenerSet<Arguments extends unknown[]> {
  readonly #listeners = new Set<{ call: (...event: Arguments) => void }>();

  /** @returns removes the listener */
  add(listener: (...event: Arguments) => void): () => void {
    // A function may be added twice.
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  emit(...event: Arguments): void {
    for (const { call } of [...this.#listeners]) call(...event);
  }
}
