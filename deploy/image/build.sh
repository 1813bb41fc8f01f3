#!/bin/sh
# The steps by which an image of Boardroom is made from a plain Debian, as root in it. The Dockerfile calls them one by
# one, and so can a script without any engine. Each may be carried out again.
set -eu

HOME_OF_ALL=/opt/boardroom
ACCOUNT=boardroom
NUMBER=10001
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore

install_debian() {
    apt-get update --quiet=2
    apt-get install --quiet=2 --yes --no-install-recommends "$@"
    apt-get clean
    rm -rf /var/lib/apt/lists/* /var/cache/debconf/*-old /var/log/apt /var/log/dpkg.log /var/log/alternatives.log
}

# What the finished image needs: Python, the roots of TLS, and a first process that waits for orphans.
programs() {
    install_debian ca-certificates python3 tini
}

# Nothing is installed in the finished image any more: it goes without apt, Perl and what only they use.
bare() {
    dpkg --purge --force-depends --force-remove-essential --force-remove-protected \
        apt libapt-pkg7.0 sqv libdb5.3t64 perl-base >/dev/null
    cd /usr/share && rm -rf doc man info locale lintian /var/cache/* /usr/lib/apt
    cd /usr/lib && rm -rf ./*-linux-gnu/gconv python3*/test python3*/pydoc_data
}

# What only the stage needs in which the libraries are installed.
tools() {
    install_debian binutils ca-certificates python3 python3-setuptools python3-venv python3-wheel
}

# venv WHEEL LOCK: the libraries, each by its hash, and Boardroom itself, compiled, since nothing is written later.
venv() {
    wheels=$(mktemp -d)
    # There is no wheel of http-ece; it is built with Debian's setuptools, so that nothing comes without a hash.
    python3 -m venv --clear --system-site-packages "$wheels/builder"
    "$wheels/builder/bin/pip" wheel --quiet --no-deps --no-build-isolation --only-binary :all: --no-binary http-ece \
        --require-hashes --requirement "$2" --wheel-dir "$wheels"
    python3 -m venv --clear "$HOME_OF_ALL"
    "$HOME_OF_ALL/bin/pip" install --quiet --no-index --no-deps --no-compile "$wheels"/*.whl "$1"
    "$HOME_OF_ALL/bin/pip" uninstall --quiet --yes pip
    rm -rf "$wheels"
    slim
    compiled
}

# What no process of Boardroom loads: tests, translations and plugins of libraries, symbols for debuggers, the languages
# of programs but Python, which tracebacks are coloured by, and the time zones, which Debian has.
slim() {
    cd "$HOME_OF_ALL"/lib/python3*/site-packages
    find . -type d \( -name tests -o -name testing \) -prune -exec rm -rf {} +
    find . -type f \( -name '*.pyx' -o -name '*.pxd' -o -name '*.pyi' -o -name '*.h' \) -delete
    find babel/locale-data -type f ! -name root.dat ! -name 'en*.dat' ! -name 'de*.dat' ! -name 'fr*.dat' -delete
    find pygments/lexers -name '*.py' ! -name __init__.py ! -name _mapping.py ! -name python.py ! -name special.py -delete
    rm -rf apprise/i18n lxml/includes lxml/objectify.*.so PIL/_avif.*.so pillow.libs/libavif-* tzdata/zoneinfo
    find . -type f -name '*.so' -exec strip --strip-unneeded {} +
}

# Compiled is what is loaded, since nothing is written later: all of Boardroom, with what it imports.
compiled() {
    "$HOME_OF_ALL/bin/python" -W ignore - <<'PYTHON'
import importlib, pkgutil, service, schemas, workers
for package in (service, schemas, workers):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__") and ".migrations." not in module.name:
            importlib.import_module(module.name)
PYTHON
    "$HOME_OF_ALL/bin/python" -m compileall -q "$HOME_OF_ALL"/lib/python3*/site-packages/service
}

# The account of the parts, which owns nothing, and the folder of their settings.
account() {
    getent group "$ACCOUNT" >/dev/null || groupadd --gid "$NUMBER" "$ACCOUNT"
    id "$ACCOUNT" >/dev/null 2>&1 ||
        useradd --uid "$NUMBER" --gid "$NUMBER" --no-create-home --home-dir / --shell /usr/sbin/nologin "$ACCOUNT"
    install -d -m 0750 -o root -g "$ACCOUNT" /etc/boardroom
}

step=$1
shift
"$step" "$@"
