import { describe, expect, it } from '@jest/globals';
import type { IncomingHttpHeaders } from 'node:http';
import { RpcError, type RpcMessage } from './json-rpc.js';
import { assertModernRequest, claimsVersion, isModern } from './modern-protocol.js';

const version = '2026-07-28';
const metaOf = (protocolVersion: unknown = version, capabilities: unknown = {}) => ({
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});
const message = (params: object = {}, method = 'tools/call'): RpcMessage => ({
  id: 1,
  method,
  params: { name: 'menu_get', _meta: metaOf(), ...params },
});
const headersOf = (changes: IncomingHttpHeaders = {}): IncomingHttpHeaders => ({
  'mcp-protocol-version': version,
  'mcp-method': 'tools/call',
  'mcp-name': 'menu_get',
  ...changes,
});

/** `ok`, or the code of the error. */
function verdict(sent: RpcMessage, headers: IncomingHttpHeaders): number | 'ok' {
  try {
    assertModernRequest(sent, headers);
    return 'ok';
  } catch (error) {
    if (error instanceof RpcError && error.status === 400) return error.code;
    throw error;
  }
}
const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('isModern (contract 17, two eras)', () => {
  it('goes by the claim of the body, whatever the header says', () => {
    expect(isModern(message(), {})).toBe(true);
    expect(isModern(message({ _meta: metaOf('v999') }), {})).toBe(true);
    expect(isModern(message({ _meta: {} }), headersOf({ 'mcp-protocol-version': '2025-11-25' }))).toBe(false);
    expect(isModern(message({ _meta: 'x' }), {})).toBe(false);
  });

  it('goes by the header for a request without the claim, except initialize and notifications', () => {
    const bare = { id: 1, method: 'tools/list', params: {} };
    expect(isModern(bare, headersOf())).toBe(true);
    expect(isModern({ ...bare, method: 'initialize' }, headersOf())).toBe(false);
    expect(isModern({ method: 'notifications/cancelled', params: {} }, headersOf())).toBe(false);
    expect(claimsVersion(bare)).toBe(false);
  });
});

describe('assertModernRequest (contract 17, modern requests)', () => {
  it('accepts headers that agree with the body', () => {
    expect(verdict(message(), headersOf())).toBe('ok');
    expect(verdict(message({}, 'tools/list'), headersOf({ 'mcp-method': 'tools/list' }))).toBe('ok');
    const { 'mcp-name': _, ...withoutName } = headersOf({ 'mcp-method': 'server/discover' });
    expect(verdict(message({}, 'server/discover'), withoutName)).toBe('ok');
  });

  it('decodes the base64 form of a name, and of nothing else', () => {
    expect(verdict(message(), headersOf({ 'mcp-name': base64('menu_get') }))).toBe('ok');
    expect(verdict(message({ name: 'menü' }), headersOf({ 'mcp-name': base64('menü') }))).toBe('ok');
    expect(verdict(message(), headersOf({ 'mcp-name': base64('menu_delete') }))).toBe(-32020);
    expect(verdict(message(), headersOf({ 'mcp-name': '=?base64?%%%?=' }))).toBe(-32020);
    expect(verdict(message(), headersOf({ 'mcp-method': base64('tools/call') }))).toBe(-32020);
    expect(verdict(message(), headersOf({ 'mcp-protocol-version': base64(version) }))).toBe(-32020);
  });

  it.each<[string, IncomingHttpHeaders]>([
    ['no version', { 'mcp-protocol-version': undefined }],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }],
    ['a doubled version', { 'mcp-protocol-version': `${version}, ${version}` }],
    ['no method', { 'mcp-method': undefined }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['a method in another case', { 'mcp-method': 'Tools/Call' }],
    ['no name', { 'mcp-name': undefined }],
    ['another name', { 'mcp-name': 'menu_list' }],
    ['a doubled name', { 'mcp-name': 'menu_get, menu_get' }],
    ['a name with a parameter', { 'mcp-name': 'menu_get;x' }],
  ])('rejects %s with -32020', (_, changes) => {
    expect(verdict(message(), headersOf(changes))).toBe(-32020);
  });

  it('rejects a call without a name with -32020, also when the header lacks it too', () => {
    expect(verdict(message({ name: undefined }), headersOf({ 'mcp-name': undefined }))).toBe(-32020);
  });

  it('rejects an unknown version with -32022, which lists the supported ones', () => {
    const sent = message({ _meta: metaOf('2027-01-01') });
    const call = () => assertModernRequest(sent, headersOf({ 'mcp-protocol-version': '2027-01-01' }));
    const data = { supported: [version], requested: '2027-01-01' };
    expect(call).toThrow(expect.objectContaining({ code: -32022, status: 400, extra: { data } }));
  });

  it('rejects an unknown version before other headers, which it may name differently', () => {
    const sent = message({ _meta: metaOf('2027-01-01') });
    expect(verdict(sent, { 'mcp-protocol-version': '2027-01-01' })).toBe(-32022);
  });

  it.each([
    ['no _meta', undefined],
    ['no version', { 'io.modelcontextprotocol/clientCapabilities': {} }],
    ['no capabilities', { 'io.modelcontextprotocol/protocolVersion': version }],
    ['capabilities that are no object', metaOf(version, [])],
  ])('rejects %s with -32602', (_, meta) => {
    expect(verdict(message({ _meta: meta }), headersOf())).toBe(-32602);
  });
});
