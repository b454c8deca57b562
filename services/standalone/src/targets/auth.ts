import { AuthModule, authTags, SignInMode } from '@quire/auth-service';
import { createServiceApp } from '@quire/http-server';
import { SiteJobs } from '@quire/jobs';
import { inProcessUpstream, InternalApiClient } from '@quire/service-client';
import type { ServiceDatabases } from '@quire/tenancy';
import { renderErrorPage } from '@quire/ui';
import type { AppContainer } from '../app-container.js';
import { loginProvidersOf } from './login-providers.js';
import { linkOriginsOf, startMails } from './mails.js';

/** Starts the auth service. */
export async function startAuth(container: AppContainer, databases: ServiceDatabases): Promise<void> {
  const { logger, verifier, lifecycle, environment, site } = container;
  // Content starts after auth and calls it. So auth resolves content at the first call, and serves without it.
  const content = () => container.upstream('content');
  const registry = await container.registry();
  const mails = await startMails(container, databases);
  const app = await createServiceApp({
    service: 'auth',
    tags: authTags,
    module: AuthModule.with({
      relay: await container.relay(),
      limiter: await container.rateLimiter(),
      content: new InternalApiClient({ upstream: content, caller: 'auth' }),
      allowedOrigins: environment.CMS_ALLOWED_ORIGINS ?? [],
      mails,
      linkOrigins: linkOriginsOf(container, registry),
      signInMode: new SignInMode(site.auth?.type ?? 'passkey'),
      isSetupOpen: environment.CMS_SETUP === 'open',
      allowsAdminDefaultRole: site.allowAdminDefaultRole ?? false,
      loginProviders: loginProvidersOf(container),
      jobs: new SiteJobs(await container.queues(), await container.pausedSites()),
    }),
    logger,
    verifier,
    tenantDatabase: (tenant, trace) => databases.tenant(tenant, trace),
    renderError: renderErrorPage,
  });
  lifecycle.onShutdown('auth', () => app.close());
  container.upstreams.set('auth', inProcessUpstream('auth', app));
}
