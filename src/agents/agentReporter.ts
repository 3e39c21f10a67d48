import { Reporter } from '../output/reporter.ts';

/** Keeps warnings for the result of a call. Notes and progress are for people, so they are dropped. */
export class AgentReporter extends Reporter {
  readonly warnings: string[] = [];

  override warn(_code: string, message: string): void {
    if (this.isFirst(message)) this.warnings.push(message);
  }

  override note(): void {}
  override report(): void {}
  override trace(): void {}
  override async printLines(): Promise<void> {}
}
