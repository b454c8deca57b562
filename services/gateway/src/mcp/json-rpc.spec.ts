import { describe, expect, it } from '@jest/globals';
import { errorText, messageOf, parseJson, resultText, RpcError, rpcCode } from './json-rpc.js';

/** Code and HTTP status of the error of a call. */
function errorOf(call: () => unknown): [number, number] {
  try {
    call();
  } catch (error) {
    if (error instanceof RpcError) return [error.code, error.status];
  }
  throw new Error('no RpcError was thrown');
}

describe('parseJson', () => {
  it.each(['', '{', 'x', '{"a":1}}', "{'a':1}"])('rejects %j with -32700', (text) => {
    expect(errorOf(() => parseJson(text))).toEqual([-32700, 400]);
  });

  it.each(['{"__proto__":{"a":1}}', '{"a":{"__proto__":{}}}', '{"constructor":{"prototype":{}}}'])(
    'rejects a key that changes prototypes: %j',
    (text) => {
      expect(errorOf(() => parseJson(text))).toEqual([-32700, 400]);
    },
  );
});

describe('messageOf', () => {
  const request = { jsonrpc: '2.0', id: 1, method: 'ping' };

  it.each([0, 7, -1, 'a', '', '1'])('keeps the id %j', (id) => {
    expect(messageOf({ ...request, id })).toEqual({ id, method: 'ping', params: {} });
  });

  it('has no id for a notification', () => {
    expect(messageOf({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual({
      method: 'notifications/initialized',
      params: {},
    });
  });

  it.each([
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: null, error: { code: 1, message: '' } },
    { jsonrpc: '2.0', error: { code: 1, message: '' } },
  ])('ignores the response %j', (value) => {
    expect(messageOf(value)).toBeUndefined();
  });

  it.each([
    null,
    1,
    'ping',
    [],
    {},
    { ...request, jsonrpc: '1.0' },
    { ...request, jsonrpc: 2 },
    { ...request, id: null },
    { ...request, id: 1.5 },
    { ...request, id: 2 ** 53 },
    { ...request, id: {} },
    { ...request, id: true },
    { ...request, method: 5 },
    { jsonrpc: '2.0', id: 1 },
    { ...request, params: null },
    { ...request, params: [1] },
    { ...request, params: 'x' },
  ])('rejects %j with -32600', (value) => {
    expect(errorOf(() => messageOf(value))).toEqual([-32600, 400]);
  });
});

describe('texts of responses', () => {
  it('have the id in its type', () => {
    expect(JSON.parse(resultText('1', '{}'))).toEqual({ jsonrpc: '2.0', id: '1', result: {} });
    expect(JSON.parse(resultText(1, '{"a":1}'))).toEqual({ jsonrpc: '2.0', id: 1, result: { a: 1 } });
  });

  it('have the error with its data, and nothing else of it', () => {
    const data = { supported: ['x'], requested: 'y' };
    const error = new RpcError(rpcCode.unsupportedVersion, 'm', 400, { data, retryAfterSeconds: 1 });
    expect(JSON.parse(errorText(null, error))).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32022, message: 'm', data },
    });
    expect(JSON.parse(errorText(3, new RpcError(rpcCode.transport, 'm', 400)))).toEqual({
      jsonrpc: '2.0',
      id: 3,
      error: { code: -32000, message: 'm' },
    });
  });
});
