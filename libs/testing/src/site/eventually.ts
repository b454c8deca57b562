import { setTimeout as wait } from 'node:timers/promises';

const pauseMs = 20;

/**
 * Reads repeatedly until a condition is met: a change may have to reach other processes or a worker.
 * @param isSo the condition; default: the value is truthy
 * @returns the last value, also when the condition was not met in time: the test asserts it
 */
export async function eventually<Value>(
  look: () => Promise<Value>,
  isSo: (value: Value) => boolean = Boolean,
  withinMs = 25_000,
): Promise<Value> {
  const end = Date.now() + withinMs;
  for (;;) {
    const value = await look();
    if (isSo(value) || Date.now() > end) return value;
    await wait(pauseMs);
  }
}

/**
 * The same with expectations as the condition.
 * @param check throws while the value does not match
 * @throws the error of `check` for the last value
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
