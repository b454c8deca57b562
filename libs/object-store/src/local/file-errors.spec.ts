import { describe, expect, it } from '@jest/globals';
import { ObjectStoreFull, ObjectStoreUnavailable } from '../port/object-store-errors.js';
import { throwStoreError } from './file-errors.js';

const systemError = (code: string) => Object.assign(new Error(code), { code, syscall: 'write' });

describe('throwStoreError', () => {
  it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('maps %s to ObjectStoreFull', (code) => {
    expect(() => throwStoreError(systemError(code))).toThrow(ObjectStoreFull);
  });

  it.each(['EIO', 'EROFS', 'EACCES', 'EMFILE', 'ENOTDIR'])(
    'maps %s to ObjectStoreUnavailable with the cause',
    (code) => {
      const error = systemError(code);
      expect(() => throwStoreError(error)).toThrow(ObjectStoreUnavailable);
      expect(() => throwStoreError(error)).toThrow(expect.objectContaining({ cause: error }));
    },
  );

  it('rethrows other errors', () => {
    expect(() => throwStoreError(new TypeError('a mistake'))).toThrow(TypeError);
  });
});
