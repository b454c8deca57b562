import { Module } from '@nestjs/common';
import { AssetsController } from './assets/index.js';
import { PanelController } from './panel/index.js';
import { StartController } from './start/index.js';

/** The module of the admin service: the only file that imports all its resources. */
@Module({ controllers: [AssetsController, PanelController, StartController] })
export class AdminModule {}
