import { QueueAdminService } from '../../queue-admin-service.js';
import { checkSiteOptions } from '../../tenants/site-options.js';
import { readTenantUse } from '../../tenants/read-tenant.js';
import { defaultKeepSeconds } from '../../tenants/tenant-deletion-service.js';
import { apiOperation, type ApiContext, type ApiOperation, type ApiResult } from './api-operation.js';
import {
  actionsResponse,
  addHostsBody,
  createdTenantResponse,
  createTenantBody,
  deletedTenantResponse,
  deleteTenantQuery,
  hostParams,
  listActionsQuery,
  listTenantsQuery,
  moveResponse,
  moveTenantBody,
  renameTenantBody,
  suspendTenantBody,
  tenantParams,
  tenantResponse,
  tenantsResponse,
  tenantWithUseResponse,
  updateTenantBody,
} from './api-schemas.js';

/** The response of every change of a site: the site after it. */
async function siteAfter({ admin }: ApiContext, id: string): Promise<ApiResult> {
  return { data: { item: await admin.tenants.get(id) } };
}

/** What changes of one site have in common. */
const change = {
  role: 'operator',
  params: tenantParams,
  statuses: { 200: 'The site after the change' },
  response: tenantResponse,
} as const;

/** The operations of the operators' API. The commands of the same names run the same functions. */
export const apiOperations: readonly ApiOperation[] = [
  apiOperation({
    id: 'listTenants',
    method: 'GET',
    path: '/tenants',
    summary: 'List sites in the order of their ids',
    role: 'viewer',
    query: listTenantsQuery,
    statuses: { 200: 'A page of sites' },
    response: tenantsResponse,
    errors: ['INVALID_CURSOR'],
    run: async ({ admin }, { query }) => ({ data: await admin.tenants.page(query) }),
  }),
  apiOperation({
    id: 'createTenant',
    method: 'POST',
    path: '/tenants',
    summary: 'Create a site, or complete an earlier creation with the same body',
    role: 'operator',
    body: createTenantBody,
    statuses: { 200: 'The site exists already', 201: 'The site is created' },
    response: createdTenantResponse,
    errors: ['CONFLICT'],
    run: async ({ admin, container, actor }, { body: { id, hosts, database, ...options } }) => {
      const tenant = { id, database, ...checkSiteOptions(container, options) };
      const { isNew, setupLink } = await admin.tenants.ensure(tenant, hosts, actor);
      const link = isNew ? setupLink : await admin.tenants.setupLink(id);
      const data = { item: await admin.tenants.get(id), setupLink: link ?? null };
      return { status: isNew ? 201 : 200, data };
    },
  }),
  apiOperation({
    id: 'getTenant',
    method: 'GET',
    path: '/tenants/:id',
    summary: 'Get a site with what it has: entries, media, users, jobs, bytes',
    role: 'viewer',
    params: tenantParams,
    statuses: { 200: 'The site. A part whose store does not respond is null' },
    response: tenantWithUseResponse,
    errors: ['NOT_FOUND'],
    run: async ({ admin, container }, { params: { id } }) => {
      const details = await admin.tenants.get(id);
      return { data: { item: { ...details, ...(await readTenantUse(container, details)) } } };
    },
  }),
  apiOperation({
    ...change,
    id: 'updateTenant',
    method: 'PATCH',
    path: '/tenants/:id',
    summary: 'Change the hosts, settings, limits and the plan of a site at once',
    body: updateTenantBody,
    errors: ['NOT_FOUND', 'CONFLICT'],
    run: async (ctx, { params: { id }, body }) => {
      await ctx.admin.tenants.update(id, body, ctx.actor);
      return siteAfter(ctx, id);
    },
  }),
  apiOperation({
    ...change,
    id: 'deleteTenant',
    method: 'DELETE',
    path: '/tenants/:id',
    summary: 'Delete a site, which is restorable until its data is purged',
    query: deleteTenantQuery,
    statuses: { 200: 'The time of the purge' },
    response: deletedTenantResponse,
    errors: ['NOT_FOUND'],
    run: async ({ admin, actor }, { params: { id }, query: { keep } }) => {
      const deletion = await admin.deletions.delete(id, keep ?? defaultKeepSeconds, actor);
      return { data: { deleted: true, id, ...deletion } };
    },
  }),
  apiOperation({
    ...change,
    id: 'restoreTenant',
    method: 'POST',
    path: '/tenants/:id/restore',
    summary: 'Restore a deleted site',
    errors: ['NOT_FOUND', 'CONFLICT'],
    run: async (ctx, { params: { id } }) => {
      await ctx.admin.deletions.restore(id, ctx.actor);
      return siteAfter(ctx, id);
    },
  }),
  apiOperation({
    ...change,
    id: 'suspendTenant',
    method: 'POST',
    path: '/tenants/:id/suspend',
    summary: 'Suspend a site',
    body: suspendTenantBody,
    errors: ['NOT_FOUND'],
    run: async (ctx, { params: { id }, body: { reason } }) => {
      await ctx.admin.tenants.setSuspension(id, reason, ctx.actor);
      return siteAfter(ctx, id);
    },
  }),
  apiOperation({
    ...change,
    id: 'resumeTenant',
    method: 'POST',
    path: '/tenants/:id/resume',
    summary: 'End the suspension of a site',
    errors: ['NOT_FOUND'],
    run: async (ctx, { params: { id } }) => {
      await ctx.admin.tenants.setSuspension(id, null, ctx.actor);
      return siteAfter(ctx, id);
    },
  }),
  apiOperation({
    ...change,
    id: 'renameTenant',
    method: 'POST',
    path: '/tenants/:id/rename',
    summary: 'Give a site another id; the former ones still lead to it',
    body: renameTenantBody,
    errors: ['NOT_FOUND', 'CONFLICT'],
    run: async (ctx, { params: { id }, body: { id: to } }) => {
      await ctx.admin.tenants.rename(id, to, ctx.actor);
      return siteAfter(ctx, to);
    },
  }),
  apiOperation({
    ...change,
    id: 'moveTenant',
    method: 'POST',
    path: '/tenants/:id/move',
    summary: 'Request a move of a site to another database, which a worker makes',
    body: moveTenantBody,
    statuses: { 202: 'The move is requested' },
    response: moveResponse,
    errors: ['NOT_FOUND', 'CONFLICT'],
    run: async ({ admin, actor }, { params: { id }, body: { keepCopy: keepsCopy, ...request } }) => ({
      status: 202,
      data: { item: await admin.moves.request(id, { ...request, keepsCopy }, actor) },
    }),
  }),
  apiOperation({
    id: 'getTenantMove',
    method: 'GET',
    path: '/tenants/:id/move',
    summary: 'Get the last requested move of a site: its state, its progress, and its error',
    role: 'viewer',
    params: tenantParams,
    statuses: { 200: 'The move' },
    response: moveResponse,
    errors: ['NOT_FOUND'],
    run: async ({ admin }, { params: { id } }) => ({ data: { item: await admin.moves.get(id) } }),
  }),
  apiOperation({
    ...change,
    id: 'addTenantHosts',
    method: 'POST',
    path: '/tenants/:id/hosts',
    summary: 'Add hosts to a site',
    body: addHostsBody,
    errors: ['NOT_FOUND', 'CONFLICT'],
    run: async (ctx, { params: { id }, body: { hosts } }) => {
      await ctx.admin.tenants.addHosts(id, hosts, ctx.actor);
      return siteAfter(ctx, id);
    },
  }),
  apiOperation({
    ...change,
    id: 'removeTenantHost',
    method: 'DELETE',
    path: '/tenants/:id/hosts/:host',
    params: hostParams,
    summary: 'Remove a host from a site',
    errors: ['NOT_FOUND'],
    run: async (ctx, { params: { id, host } }) => {
      await ctx.admin.tenants.removeHost(id, host, ctx.actor);
      return siteAfter(ctx, id);
    },
  }),
  apiOperation({
    id: 'listOperatorActions',
    method: 'GET',
    path: '/log',
    summary: 'List the changes by operators, the newest first',
    role: 'viewer',
    query: listActionsQuery,
    statuses: { 200: 'A page of the log' },
    response: actionsResponse,
    errors: ['INVALID_CURSOR'],
    run: async ({ container }, { query }) => ({
      data: await new QueueAdminService(container).actionPage(query),
    }),
  }),
];
