/**
 * What test files import from `@jest/globals`, and find as globals: functions that call those of the test file that
 * runs. Modules that test files share may keep them.
 */
type Functions = Readonly<Record<string, (...args: unknown[]) => unknown>>;

let current: Functions = {};

/** Sets the functions of the test file that runs next. */
export function setFunctions(functions: object): void {
  current = functions as Functions;
}

function delegate(name: string): object {
  return new Proxy(() => undefined, {
    apply: (_target, _this, args: unknown[]) => current[name]?.(...args),
    get: (_target, key) => Reflect.get(Object(current[name]), key),
  });
}

export const afterAll = delegate('afterAll');
export const afterEach = delegate('afterEach');
export const beforeAll = delegate('beforeAll');
export const beforeEach = delegate('beforeEach');
export const describe = delegate('describe');
export const expect = delegate('expect');
export const it = delegate('it');
export const jest = delegate('jest');
export const test = delegate('test');

Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test });
