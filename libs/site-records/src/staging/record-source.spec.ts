import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { recordsOf } from './record-source.js';

@Entity('areas')
class Area {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { name: 'area_label' })
  label!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text')
  secret!: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}

const instant = (column: string, property: string) =>
  `to_char(t."${column}", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "${property}"`;

describe('recordsOf', () => {
  it('selects the properties of the record, and no other columns', () => {
    expect(recordsOf('widget_areas', Area)).toEqual({
      kind: 'widget_areas',
      select: `SELECT t."id" AS "id", t."name" AS "name", t."area_label" AS "label", t."description" AS "description", ${instant('created_at', 'createdAt')}, ${instant('updated_at', 'updatedAt')} FROM areas t WHERE true`,
    });
  });

  it('applies a condition and computed properties', () => {
    const options = { where: `t.name <> 'x'`, computed: { name: 'upper(t.name)' } };
    const { select } = recordsOf('widget_areas', Area, options);
    expect(select).toContain('SELECT t."id" AS "id", upper(t.name) AS "name", t."area_label"');
    expect(select).toMatch(/ FROM areas t WHERE t\.name <> 'x'$/);
  });

  it('throws for a property that the entity lacks', () => {
    expect(() => recordsOf('menus', Area)).toThrow('Area.locale is no column');
  });
});
