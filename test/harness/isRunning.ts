import { readFileSync } from 'node:fs';

export function isRunning(pid: number): boolean {
  try {
    // A killed process whose parent has not collected it yet is a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
