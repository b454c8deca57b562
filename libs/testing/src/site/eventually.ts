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

/**
 * The same with expectations for what is waited for.
 * @param check throws while what was seen is not it
 * @throws what `check` throws of what was seen last
 */
export async function eventuallyPasses<Value>(
  look: () => Promise<Value>,
  check: (value: Value) => void,
  withinMs?: number,
): Promise<void> {
  check(await eventually(look, (value) => passes(() => check(value)), withinMs));
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
