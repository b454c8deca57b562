import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { auditEntrySchema, auditQuery } from './audit.schemas.js';
import { listAuditLog } from './audit.operations.js';

const list = declareOperation({
  id: 'listAuditLog',
  method: 'GET',
  path: 'admin/audit-log',
  summary: 'List the audit log, newest first',
  tag: 'Users',
  access: 'users:manage',
  scope: 'admin',
  isDocumented: false,
  query: auditQuery,
  response: z.object({ items: z.array(auditEntrySchema), nextCursor: z.string().optional() }),
  errors: ['INVALID_CURSOR'],
});

/** The audit log, for administrators. */
@Controller()
export class AuditController {
  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listAuditLog(ctx, query);
  }
}
