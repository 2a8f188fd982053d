/** Reads a stream of server-sent events as a browser would. */
export interface ServerEvent {
  readonly name: string;
  readonly data: Record<string, string>;
}

export interface EventReader {
  readonly response: Response;
  next(): Promise<ServerEvent>;
  /** The rest of the stream, until the server ends it. */
  rest(): Promise<ServerEvent[]>;
  close(): Promise<void>;
}

export async function openEvents(url: string): Promise<EventReader> {
  const response = await fetch(`${url}/_control/events`);
  if (response.body === null) throw new Error("no stream");
  const events = parse(response.body.pipeThrough(new TextDecoderStream()));
  return {
    response,
    next: async () => {
      const { value, done } = await events.next();
      if (done === true) throw new Error("the stream has ended");
      return value;
    },
    rest: async () => {
      const rest: ServerEvent[] = [];
      for await (const event of events) rest.push(event);
      return rest;
    },
    close: async () => {
      await events.return(undefined);
    },
  };
}

async function* parse(stream: ReadableStream<string>): AsyncGenerator<ServerEvent, undefined> {
  let buffer = "";
  for await (const chunk of stream) {
    const blocks = (buffer + chunk).split("\n\n");
    buffer = blocks.pop() ?? "";
    for (const block of blocks) {
      const match = /^event: (\w+)\ndata: (.*)$/.exec(block);
      if (match !== null) yield { name: match[1] ?? "", data: JSON.parse(match[2] ?? "") as Record<string, string> };
      else if (block !== "retry: 1000") throw new Error(`not an event: ${block}`);
    }
  }
  return undefined;
}
