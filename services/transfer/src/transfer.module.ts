import { Module, type DynamicModule } from '@nestjs/common';
import { writeGuardModule } from '@quire/http-server';
import { toolsModule } from '@quire/mcp-tools';
import { entitiesOf, globalProviders } from '@quire/operation';
import { ContentWriteGuard } from './clients/index.js';
import { AnalysisModule } from './import/analysis/analysis.module.js';
import { ConnectionsModule } from './import/connections/connections.module.js';
import { MediaImportModule } from './import/media/index.js';
import { RunsModule } from './import/runs/runs.module.js';
import { SourcesModule } from './import/sources/sources.module.js';
import { ApprovalsModule } from './site/approvals/approvals.module.js';
import { ExportsModule } from './site/exports/exports.module.js';
import { ImportsModule } from './site/imports/imports.module.js';
import { TransferPageModule } from './site/transfer-page/transfer-page.module.js';
import { TransferDeps } from './transfer-deps.js';

/** The resources of the transfer service. A new one is registered here and nowhere else. */
const resources = [
  AnalysisModule,
  ApprovalsModule,
  ConnectionsModule,
  ExportsModule,
  ImportsModule,
  MediaImportModule,
  RunsModule,
  SourcesModule,
  TransferPageModule,
];

/** The fixed tables that the resources declare. */
export const transferEntities = entitiesOf(resources);

/** The tools of this service are never blocked: they advance what blocks those of others (spec document 2, Errors). */
const toolGuard = { assertWritable: () => Promise.resolve() };
const maxToolArgumentsBytes = 1024 * 1024;

/** Wires the resources of the transfer service. */
@Module({})
export class TransferModule {
  static with(deps: TransferDeps): DynamicModule {
    return {
      module: TransferModule,
      imports: [
        ...resources,
        writeGuardModule(new ContentWriteGuard(deps.clients.content)),
        toolsModule({
          service: 'transfer',
          writeGuard: toolGuard,
          maxArgumentsBytes: maxToolArgumentsBytes,
        }),
        globalProviders([{ provide: TransferDeps, useValue: deps }]),
      ],
    };
  }
}
