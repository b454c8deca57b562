import { expect } from '@jest/globals';
import { eventually, statusAndCode, type ApiResponse } from '@quire/testing';

/** Polls until the status and code are as expected, because a change takes time to reach every process. */
export async function expectEventually(
  expected: readonly [number, string],
  request: () => Promise<ApiResponse>,
): Promise<void> {
  const last = await eventually(request, (response) => String(statusAndCode(response)) === String(expected));
  expect(statusAndCode(last)).toEqual(expected);
}
