import type { ApiResponse } from '@quire/testing';

/** Status and address of a redirect. */
export const redirectOf = ({ status, headers }: ApiResponse): [number, string | null] => [
  status,
  headers.get('location'),
];
