import type { DataOf, Schemas } from '@quire/api-client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';

export type MediaItem = DataOf<'listMedia'>['items'][number];

const pageSize = 50;
const staleMs = 60_000;

/** What a list of the media library is limited to. */
export interface MediaFilter {
  /** Part of a file name. */
  q: string;
  /** Exact types, or beginnings of types with a slash at the end; none for all. */
  mimeTypes: readonly string[];
}

/** The files of the library, the latest first. */
export function mediaQuery({ q, mimeTypes }: MediaFilter) {
  return infiniteQueryOptions({
    queryKey: ['listMedia', { q, mimeTypes }] as const,
    queryFn: ({ pageParam, signal }) =>
      api.call('listMedia', {
        query: {
          limit: pageSize,
          ...(q !== '' && { q }),
          ...(mimeTypes.length > 0 && { mimeType: mimeTypes.join(',') }),
          ...(pageParam !== undefined && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: staleMs,
    placeholderData: (previous) => previous,
  });
}

/**
 * Uploads a file to the library.
 * @param fieldId the field it is for, whose types are accepted
 * @returns the file; one with the same bytes that the library has already
 * @throws ApiError INVALID_TYPE, PAYLOAD_TOO_LARGE, NO_STORAGE, UPLOAD_ERROR
 */
export async function uploadFile(file: File, fieldId: string): Promise<Schemas['MediaItem']> {
  const body = new FormData();
  body.append('fieldId', fieldId);
  body.append('file', file, file.name);
  return (await api.call('uploadMedia', { body })).item;
}
