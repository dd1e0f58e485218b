#!/bin/bash
# systemd_box.sh SCRATCH SITE SOURCE: becomes PID 1 of a machine to throw away, a real systemd. Root only.
#
# Everything it can see is a copy or its own: namespaces for processes, mounts, names, IPC, network and control groups;
# the disk is an overlay whose upper half lies in SCRATCH, which nobody else sees; /tmp, /run and /dev are empty ones.
# SITE (site-packages for /usr/bin/python3) and SOURCE (the packages under test) are put together as /usr/local/lib/dragoman.
# Nothing but the units that a test starts runs here. SCRATCH/up is what it wrote, to look at from outside.
set -euo pipefail
export SCRATCH=$1 SITE=$2 SOURCE=$3

machine() {
  local root=$SCRATCH/root name
  mount -t tmpfs -o size=512m,mode=755 none "$SCRATCH"
  mkdir "$SCRATCH"/{up,work,root,libs,libs-work}
  mount -t overlay overlay -o "lowerdir=/,upperdir=$SCRATCH/up,workdir=$SCRATCH/work" "$root"

  # the program, where a unit that sees no home directory can start it
  /usr/bin/python3 -m venv --without-pip "$root/usr/local/lib/dragoman"
  sed -i "s#$root##g" "$root"/usr/local/lib/dragoman/pyvenv.cfg
  local libs
  libs=$(echo "$root"/usr/local/lib/dragoman/lib/python3.*/site-packages)
  mount -t overlay overlay -o "lowerdir=$SITE,upperdir=$SCRATCH/libs,workdir=$SCRATCH/libs-work" "$libs"
  for name in gateway agent adapters cron playground; do
    rm -rf "${libs:?}/$name"
    cp -r "$SOURCE/$name" "$libs/"
  done
  printf '#!/usr/local/lib/dragoman/bin/python\nimport sys\nfrom gateway.cli import main\nsys.exit(main())\n' >"$root/usr/local/lib/dragoman/bin/dragoman"
  chmod 755 "$root/usr/local/lib/dragoman/bin/dragoman"

  # places of its own
  mount -t tmpfs -o mode=1777 none "$root/tmp"
  mount -t tmpfs -o mode=755 none "$root/run"
  mkdir -p "$root/run/lock"
  mount -t tmpfs -o mode=755 none "$root/dev"
  for name in null zero full random urandom tty; do
    touch "$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
  done
  mkdir "$root"/dev/{shm,pts,mqueue,hugepages}
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  mount -t tmpfs none "$root/dev/shm"
  mount -t proc proc "$root/proc"
  mount --bind "$root/proc/sys" "$root/proc/sys"
  mount -o remount,bind,ro "$root/proc/sys"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"

  # it boots into nothing, and what would set up a real machine is switched off
  mkdir -p "$root/etc/systemd/system"
  printf '[Unit]\nDescription=nothing\nDefaultDependencies=no\nAllowIsolate=yes\n' >"$root/etc/systemd/system/nothing.target"
  for name in systemd-tmpfiles-setup.service systemd-tmpfiles-setup-dev.service systemd-tmpfiles-clean.service \
    systemd-sysctl.service systemd-modules-load.service systemd-udevd.service systemd-remount-fs.service \
    systemd-sysusers.service systemd-random-seed.service systemd-machine-id-commit.service systemd-binfmt.service \
    network-online.target; do
    ln -sf /dev/null "$root/etc/systemd/system/$name"
  done

  mkdir "$root/old"
  cd "$root"
  pivot_root . old
  umount -l /old
  rmdir /old
  cd /
  hostname box
  ip link set lo up 2>/dev/null || true
  export container=box
  exec /lib/systemd/systemd --system --unit=nothing.target --log-target=null --show-status=0 </dev/null
}
export -f machine

exec unshare --pid --mount --uts --ipc --net --cgroup --fork --kill-child --propagation private bash -euo pipefail -c machine
