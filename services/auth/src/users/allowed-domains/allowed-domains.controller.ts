import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { AuditLog } from '../../audit/index.js';
import { DefaultRolePolicy } from './default-role.policy.js';
import {
  allowedDomainSchema,
  createDomainBody,
  domainParams,
  updateDomainBody,
} from './allowed-domains.schemas.js';
import {
  createAllowedDomain,
  deleteAllowedDomain,
  listAllowedDomains,
  updateAllowedDomain,
} from './allowed-domains.operations.js';

const shared = { tag: 'Users', access: 'users:manage', scope: 'admin' } as const;
const domainResponse = z.object({ success: z.literal(true), domain: allowedDomainSchema });

const list = declareOperation({
  ...shared,
  id: 'listAllowedDomains',
  method: 'GET',
  path: 'admin/allowed-domains',
  summary: 'List the domains whose users may sign up',
  response: z.object({ domains: z.array(allowedDomainSchema) }),
});

const create = declareOperation({
  ...shared,
  id: 'createAllowedDomain',
  reauthentication: 'recent',
  method: 'POST',
  path: 'admin/allowed-domains',
  summary: 'Allow users of a domain to sign up',
  body: createDomainBody,
  status: 201,
  response: domainResponse,
  errors: ['CONFLICT'],
});

const update = declareOperation({
  ...shared,
  id: 'updateAllowedDomain',
  reauthentication: 'recent',
  method: 'PUT',
  path: 'admin/allowed-domains/:domain',
  summary: 'Enable or disable an allowed domain, or change its default role',
  params: domainParams,
  body: updateDomainBody,
  response: domainResponse,
  errors: ['NOT_FOUND'],
});

/** The update under its former method. */
const patch = declareOperation({
  ...update,
  id: 'patchAllowedDomain',
  method: 'PATCH',
  isDocumented: false,
});

const remove = declareOperation({
  ...shared,
  id: 'deleteAllowedDomain',
  reauthentication: 'recent',
  method: 'DELETE',
  path: 'admin/allowed-domains/:domain',
  summary: 'Delete an allowed domain',
  params: domainParams,
  response: z.object({ success: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

/** Domains whose users may sign up (contract 24). */
@Controller()
export class AllowedDomainsController {
  constructor(
    @Inject(AuditLog) readonly audit: AuditLog,
    @Inject(DefaultRolePolicy) readonly defaultRoles: DefaultRolePolicy,
  ) {}

  @Operation(list)
  async list(@Ctx() ctx: Context) {
    return { domains: await listAllowedDomains(ctx) };
  }

  @Operation(create)
  async create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    return { success: true, domain: await createAllowedDomain(ctx, this, body) };
  }

  @Operation(update)
  async update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return {
      success: true,
      domain: await updateAllowedDomain(ctx, this, { domain: params.domain, update: body }),
    };
  }

  @Operation(patch)
  patchAllowedDomain(@Ctx() ctx: Context, @Input() input: InputOf<typeof patch>) {
    return this.update(ctx, input);
  }

  @Operation(remove)
  async remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    await deleteAllowedDomain(ctx, this, params.domain);
    return { success: true };
  }
}
