import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
type Attribute = { key: string; value: Value };

/** A span as OTLP has it, with the attributes of its process. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  /** 2 for an error. */
  status: number;
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Pick<ReceivedSpan, 'traceId' | 'spanId' | 'name' | 'kind'> & {
        parentSpanId?: string;
        attributes?: Attribute[];
        links?: ReceivedSpan['links'];
        status?: { code?: number };
      })[];
    }[];
  }[];
}

/** A receiver of traces: OTLP/HTTP with JSON. */
export class OtlpSink {
  readonly spans: ReceivedSpan[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** Status of its responses; undefined for none. */
  status: number | undefined = 200;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<OtlpSink> {
    const server = createServer();
    const sink = new OtlpSink(server);
    server.on('request', async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      sink.headers.push(request.headers);
      if (sink.status === undefined) return;
      if (sink.status === 200 && request.url === '/v1/traces') sink.add(JSON.parse(body) as Export);
      response.writeHead(sink.status, { 'content-type': 'application/json' }).end('{}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return sink;
  }

  /** Its address, for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await once(this.server.close(), 'close');
  }

  private add({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap(({ spans }) => spans))
        this.spans.push({
          ...span,
          parentSpanId: span.parentSpanId ?? '',
          attributes: valuesOf(span.attributes),
          resource: valuesOf(resource.attributes),
          links: span.links ?? [],
          status: span.status?.code ?? 0,
        });
  }
}

const valuesOf = (attributes: readonly Attribute[] = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] as unknown]));
