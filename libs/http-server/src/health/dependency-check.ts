import { memoizeFor } from '@quire/observability';

/** What a process depends on: a store, or another service. */
export interface Dependency {
  name: string;
  /** Whether the process can do nothing of its own work without it. Others are only reported. */
  isNeeded: boolean;
  /** Resolves when it responds. */
  check: () => Promise<void>;
}

const checkTimeoutMs = 2_500;

/** A dependency with the result of its last check. */
export class DependencyCheck {
  readonly name: string;
  readonly isNeeded: boolean;
  /** Checks it, unless a check runs or has just ended. Never rejects. */
  readonly check: () => Promise<void>;
  /** The last result. It counts as down until it has responded. */
  isUp = false;

  constructor({ name, isNeeded, check }: Dependency, maxAgeMs: number) {
    this.name = name;
    this.isNeeded = isNeeded;
    this.check = memoizeFor(maxAgeMs, async () => {
      this.isUp = await withinTime(
        // A check may also throw at once.
        (async () => check())().then(
          () => true,
          () => false,
        ),
        checkTimeoutMs,
      ).then((isUp) => isUp ?? false);
    });
  }
}

/** The value of a promise; undefined when it takes longer. */
export async function withinTime<Value>(
  promise: Promise<Value>,
  milliseconds: number,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
