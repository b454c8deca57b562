import { rowId } from '@quire/operation';
import { z } from 'zod';

const permission = { tag: 'Site transfer', access: 'transfer:import' } as const;

/** Permission and scopes by what an operation does: it reads an import, prepares it or executes it (contract 25). */
export const importRights = {
  read: { ...permission, scope: ['transfer:analyze', 'transfer:execute'] },
  prepare: { ...permission, scope: 'transfer:analyze' },
  execute: { ...permission, scope: 'transfer:execute' },
} as const;

export const importParams = z.object({ id: rowId });

/** Codes of every operation on one import. */
export const importErrors = [
  'INSUFFICIENT_PERMISSIONS',
  'TRANSFER_OPERATION_NOT_FOUND',
  'TRANSFER_EXPIRED',
] as const;
