import { Module } from '@nestjs/common';
import { AssetsController } from './assets/index.js';
import { StartController } from './start/index.js';

/** Wires the admin service: the only file that sees all its resources. */
@Module({ controllers: [AssetsController, StartController] })
export class AdminModule {}
