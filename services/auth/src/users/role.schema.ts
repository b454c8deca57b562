import { roles, type Role } from '@quire/permissions';
import { z } from 'zod';

const levels = Object.values(roles);

/** A role in a query: its number as text. */
export const roleText = z
  .enum(levels.map(String) as [`${Role}`, ...`${Role}`[]])
  .transform((text) => Number(text) as Role);

/** A role in a body: its number, or the number as text (contract 24). */
export const roleInput = z.union([z.literal(levels), roleText]);
