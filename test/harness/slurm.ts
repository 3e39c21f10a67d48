import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { freePort, startDaemon } from './daemon.ts';
import { temporaryFolder } from './mar.ts';

/** A whole Slurm on loopback: controller and one node, run by root, without systemd and cgroups. */
export async function startSlurm() {
  const folder = temporaryFolder();
  const file = (name: string) => path.join(folder, name);
  const [host = ''] = hostname().split('.');
  writeFileSync(file('munge.key'), randomBytes(128), { mode: 0o400 });
  mkdirSync(file('state'));
  mkdirSync(file('spool'));
  const conf = file('slurm.conf');
  // A requeued task waits until its old credential expires, at least 5 s.
  writeFileSync(
    conf,
    `ClusterName=mar
SlurmctldHost=${host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=${await freePort()}
SlurmdPort=${await freePort()}
StateSaveLocation=${file('state')}
SlurmdSpoolDir=${file('spool')}
SlurmctldPidFile=${file('slurmctld.pid')}
SlurmdPidFile=${file('slurmd.pid')}
AuthType=auth/munge
AuthInfo=socket=${file('munge.socket')},cred_expire=5
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1
NodeName=${host} NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=main Nodes=${host} Default=YES MaxTime=INFINITE State=UP
`,
  );
  const munge = [
    ...['--foreground', '--force', `--key-file=${file('munge.key')}`],
    ...[`--socket=${file('munge.socket')}`, `--pid-file=${file('munged.pid')}`],
    ...[`--log-file=${file('munged.log')}`, `--seed-file=${file('munged.seed')}`],
  ];
  await startDaemon('/usr/sbin/munged', munge, 'Created socket', 'SIGTERM');
  const daemon = ['-D', '-f', conf];
  await startDaemon('/usr/sbin/slurmctld', daemon, 'Running as primary controller', 'SIGTERM');
  await startDaemon('/usr/sbin/slurmd', daemon, 'slurmd started on', 'SIGTERM');
  /** Runs one of Slurm's own commands, and returns what it prints. */
  const run = (command: string, ...argv: string[]) =>
    execFileSync(command, argv, { env: { ...process.env, SLURM_CONF: conf }, encoding: 'utf8' });
  /** Waits until no task of a job is running or pending. */
  const finished = (job: string) =>
    expect
      .poll(() => run('squeue', '--noheader', '--jobs', job), { timeout: 120_000, interval: 500 })
      .toBe('');
  return {
    run,
    finished,
    /** Submits a script, and returns the number of the job. */
    submit(script: string, env: NodeJS.ProcessEnv) {
      writeFileSync(file('job.sh'), script);
      const job = execFileSync('sbatch', ['--parsable', file('job.sh')], {
        env: { ...env, SLURM_CONF: conf },
        encoding: 'utf8',
      }).trim();
      // Tasks outlive the daemons, so those of a failed test are ended before.
      onTestFinished(async () => {
        run('scancel', job);
        await finished(job);
      });
      return job;
    },
  };
}
