import { setTimeout as wait } from 'node:timers/promises';

const pauseMs = 20;

/**
 * Looks again and again until something is so: a change may have to reach other processes, or a worker to come by.
 * @param isSo whether what was seen is what is waited for; unless given, whether there is something
 * @returns what was seen last, also when it did not become so in time: the test says what it should be.
 */
export async function eventually<Value>(
  look: () => Promise<Value>,
  isSo: (value: Value) => boolean = Boolean,
  withinMs = 15_000,
): Promise<Value> {
  const end = Date.now() + withinMs;
  for (;;) {
    const value = await look();
    if (isSo(value) || Date.now() > end) return value;
    await wait(pauseMs);
  }
}
