import { Module, type DynamicModule } from '@nestjs/common';
import { firstReasonOf, writeGuardModule, type WriteGuard } from '@quire/http-server';
import { CacheInvalidationBus, OutboxDispatcher } from '@quire/jobs';
import { toolsModule } from '@quire/mcp-tools';
import { entitiesOf, globalProviders, maxContentBodyBytes } from '@quire/operation';
import type { RateLimiter } from '@quire/rate-limit';
import { BylinesModule } from './bylines/bylines.module.js';
import { AuthClient, MediaClient } from './clients/index.js';
import type { Captcha } from './comments/captcha.js';
import { CommentDeps } from './comments/comment-deps.js';
import type { CommenterCookie } from './comments/commenter-cookie.js';
import { CommentsModule } from './comments/comments.module.js';
import { DeletionsModule } from './deletions/deletions.module.js';
import { EntriesModule } from './entries/entries.module.js';
import { EntryDeps, EntryLimit, EntryUrlListener, ResponseCache } from './entries/index.js';
import { LocksModule } from './entries/locks/locks.module.js';
import { PreviewLinks } from './entries/previews/preview-links.js';
import { PanelEntriesModule } from './entries/panel/panel-entries.module.js';
import { PreviewsModule } from './entries/previews/previews.module.js';
import { RevisionsModule } from './entries/revisions/revisions.module.js';
import { ImportModule } from './import/import.module.js';
import { ChangeSubscriptionsModule } from './integration/change-subscriptions/change-subscriptions.module.js';
import { MediaReferencesModule } from './integration/media-references/media-references.module.js';
import { ReadOnlyMode } from './integration/read-only-mode/index.js';
import { ReadOnlyModeModule } from './integration/read-only-mode/read-only-mode.module.js';
import { SearchDocumentsModule } from './integration/search-documents/search-documents.module.js';
import { SiteLocales } from './locales/index.js';
import { Definitions, SchemaChanges } from './schema/index.js';
import { SchemaModule } from './schema/schema.module.js';
import { DashboardModule } from './site/dashboard/dashboard.module.js';
import { Dashboard } from './site/dashboard/index.js';
import { ManifestDeps } from './site/manifest/index.js';
import { ManifestModule } from './site/manifest/manifest.module.js';
import { MenusModule } from './site/menus/menus.module.js';
import { NotFoundRecorder } from './site/not-found-log/index.js';
import { NotFoundLogModule } from './site/not-found-log/not-found-log.module.js';
import { PanelBootstrapDeps } from './site/panel-bootstrap/index.js';
import { PanelBootstrapModule } from './site/panel-bootstrap/panel-bootstrap.module.js';
import { PanelHomeModule } from './site/panel-home/panel-home.module.js';
import { SlugRedirects, VisitRecorder } from './site/redirects/index.js';
import { RedirectsModule } from './site/redirects/redirects.module.js';
import { SectionsModule } from './site/sections/sections.module.js';
import { SeedModule } from './site/seed/seed.module.js';
import { SettingsModule } from './site/settings/settings.module.js';
import { WidgetsModule } from './site/widgets/widgets.module.js';
import { SiteTransferModule } from './site-transfer/site-transfer.module.js';
import { TaxonomiesModule } from './taxonomies/definitions/taxonomies.module.js';
import { TermsModule } from './taxonomies/terms/terms.module.js';

export interface ContentDeps {
  definitions: Definitions;
  readOnlyMode: ReadOnlyMode;
  /** Rejects writes during a site import. */
  importGuard: WriteGuard;
  relay: CacheInvalidationBus;
  locales: SiteLocales;
  users: AuthClient;
  media: MediaClient;
  dispatcher: OutboxDispatcher;
  visitRecorder: VisitRecorder;
  limiter: RateLimiter;
  captcha: Captcha;
  commenters: CommenterCookie;
  dashboard: Dashboard;
  responses: ResponseCache;
  previews: PreviewLinks;
  entryLimit: EntryLimit;
  /** Of the API, for panels. */
  version: string;
  /** Maximum size of a media file of the installation, in bytes. */
  maxUploadBytes: number;
}

/** The resources of the content service. A new one is registered here and nowhere else. */
const resources = [
  BylinesModule,
  ChangeSubscriptionsModule,
  CommentsModule,
  DashboardModule,
  DeletionsModule,
  EntriesModule,
  ImportModule,
  LocksModule,
  ManifestModule,
  MediaReferencesModule,
  MenusModule,
  NotFoundLogModule,
  PanelBootstrapModule,
  PanelEntriesModule,
  PanelHomeModule,
  PreviewsModule,
  ReadOnlyModeModule,
  RedirectsModule,
  RevisionsModule,
  SchemaModule,
  SearchDocumentsModule,
  SectionsModule,
  SeedModule,
  SettingsModule,
  SiteTransferModule,
  TaxonomiesModule,
  TermsModule,
  WidgetsModule,
];

/** The fixed tables that the resources declare. */
export const contentEntities = entitiesOf(resources);

/** Wires the content service: the only file that sees all its resources. */
@Module({})
export class ContentModule {
  static with(deps: ContentDeps): DynamicModule {
    const { locales, users, media, dispatcher, visitRecorder, limiter, captcha, commenters } = deps;
    const writeGuard = firstReasonOf(deps.importGuard, deps.readOnlyMode);
    return {
      module: ContentModule,
      imports: [
        ...resources,
        writeGuardModule(writeGuard),
        toolsModule({ service: 'content', writeGuard, maxArgumentsBytes: maxContentBodyBytes }),
        globalProviders([
          { provide: Definitions, useValue: deps.definitions },
          { provide: ReadOnlyMode, useValue: deps.readOnlyMode },
          { provide: CacheInvalidationBus, useValue: deps.relay },
          { provide: SiteLocales, useValue: locales },
          { provide: AuthClient, useValue: users },
          { provide: MediaClient, useValue: media },
          { provide: OutboxDispatcher, useValue: dispatcher },
          { provide: VisitRecorder, useValue: visitRecorder },
          { provide: NotFoundRecorder, useValue: visitRecorder.notFound },
          { provide: ResponseCache, useValue: deps.responses },
          { provide: Dashboard, useValue: deps.dashboard },
          { provide: ManifestDeps, useValue: new ManifestDeps(locales, users, media, deps.version) },
          { provide: PreviewLinks, useValue: deps.previews },
          { provide: PanelBootstrapDeps, useValue: bootstrapDepsOf(deps) },
          {
            provide: CommentDeps,
            useValue: new CommentDeps(limiter, users, captcha, commenters, dispatcher),
          },
          { provide: EntryLimit, useValue: deps.entryLimit },
          { provide: EntryUrlListener, useClass: SlugRedirects },
          EntryDeps,
          SchemaChanges,
        ]),
      ],
    };
  }
}

function bootstrapDepsOf({
  locales,
  media,
  previews,
  version,
  maxUploadBytes,
}: ContentDeps): PanelBootstrapDeps {
  return new PanelBootstrapDeps(locales, media, previews.defaultPattern, version, maxUploadBytes);
}
