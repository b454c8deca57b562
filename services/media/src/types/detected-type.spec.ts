import { describe, expect, it } from '@jest/globals';
import { mediaApi } from '@quire/internal-api';
import { conflictsWithDetected, detectType } from './detected-type.js';
import { isAllowedType } from './media-type.js';

describe('conflictsWithDetected', () => {
  it.each([
    ['image/png', 'image/png'],
    ['image/png', 'image/apng'],
    ['image/svg+xml', 'application/xml'],
    ['audio/mpeg', 'video/mp4'],
    ['audio/ogg', 'application/ogg'],
    ['video/x-own', undefined],
    ['text/plain', undefined],
    ['text/csv', undefined],
    ['image/svg+xml', undefined],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'application/zip'],
  ])('%s may be %s', (declared, detected) => {
    expect(conflictsWithDetected(declared, detected)).toBe(false);
  });

  it.each([
    ['image/png', 'image/jpeg'],
    ['image/png', 'application/pdf'],
    ['image/jpeg', undefined],
    ['application/pdf', undefined],
    ['video/mp4', undefined],
    ['video/mp4', 'image/gif'],
    ['text/plain', 'application/x-msdownload'],
    ['image/png', 'application/xml'],
    ['image/gif', 'application/zip'],
  ])('%s cannot be %s', (declared, detected) => {
    expect(conflictsWithDetected(declared, detected)).toBe(true);
  });

  it.each([
    ['%PDF-1.7\n%', 'application/pdf'],
    ['GIF89a\x01\0\x01\0\0\0\0;/*<script>*/', 'image/gif'],
    ['<!doctype html><script>', undefined],
    ['', undefined],
  ])('the bytes of %j are %s', async (text, type) => {
    expect(await detectType(Buffer.from(text, 'latin1'))).toBe(type);
  });
});

describe('isAllowedType', () => {
  it.each([
    ['image/png', true],
    ['video/anything', true],
    ['application/pdf', true],
    ['image/svg+xml', false],
    ['text/html', false],
    ['videos/x', false],
  ])('%s: taken where no field says otherwise: %s', (type, expected) => {
    expect(isAllowedType(type, mediaApi.defaultAllowedTypes)).toBe(expected);
  });
});
