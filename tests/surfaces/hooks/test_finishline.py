"""Every way to say it that was met, and every honest command that only mentions it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backcheck.surfaces.hooks.finishline import crossings

COMMIT = [
    "git commit -m x", "git  commit", "git\tcommit", "git -C . commit", "git -c k=v commit", "git --no-pager commit",
    'git "commit"', '"git" commit', 'git com""mit', "git c\\ommit", 'gi""t commit', "git $'commit'", "$'\\x67it' commit",
    "git \\\n  commit", "{git,commit,-m,x}", "git {commit,-m,x}", "/usr/bin/gi[t] commit", "/usr/bin/git commit", "c=commit; git $c",
    'c=commit; git "$c"', 'x="git commit"; $x', 'sh -c "git commit -m x"', "sh -c 'git commit'", 'sh -c "git $(printf commit)"',
    'bash -lc "cd sub && git commit"', "echo commit -m x | xargs git", "echo 'git commit' | sh", "printf 'git commit\\n' | bash -s",
    "sh <<EOF\ngit  commit\nEOF", "cat <<'EOF' | bash\ngit commit -m x\nEOF", "sh <<< 'git commit'", "nohup git commit &",
    "git -c alias.z=commit z -m x", "git -c alias.z='!git commit' z", "env X=1 git commit", "env -u HOME git commit", "sudo -u bob git commit",
    "git commit --no-verify -m x", "git commit-tree HEAD^{tree} -m x", "git update-ref refs/heads/main HEAD", "git merge topic",
    "git cherry-pick abc", "git rebase main", "git rebase --continue", "git pull", "git revert HEAD", "git am < x.patch", "true && git commit",
    "false || git commit", "(git commit)", "{ git commit; }", "if true; then git commit; fi", "for i in 1; do git commit; done",
    "f() { git commit; }; f", "echo $(git commit -m x)", "diff <(git commit) /dev/null", "time git commit", "timeout 5 git commit",
    "command git commit", "exec git commit", "eval 'git commit'", 'eval git "commit"', "trap 'git commit' EXIT", "alias gc='git commit'",
    "find . -name x -exec git commit -m x \\;", "python3 -c \"import subprocess as s; s.run(['git', 'commit', '-m', 'x'])\"",
    "python - <<'EOF'\nimport os\nos.system('git commit -m x')\nEOF", "node -e \"require('child_process').execSync('git commit')\"",
    "git commit -m \"$(cat <<'EOF'\nfix\nEOF\n)\"", "hg commit -m x", "X=1 git commit", "git commit -m 'do not push'", "! git commit",
    "ls; git commit # comment", "git commit -am '--help'", "while read l; do git commit -m \"$l\"; done < x",
]  # fmt: skip

PUSH = [
    "git push", "git -C . push", "git push --force origin HEAD", "git send-pack origin main", "git subtree push --prefix x o b", "npm  publish",
    "npm publish --access public", "npm run release", "yarn release", "pnpm run deploy:prod", "gh pr merge 3 --squash", "gh pr create --fill",
    "gh api -X PUT repos/o/r/pulls/3/merge", "gh api repos/o/r/releases -f tag_name=v1", "gh release create v1", "cargo publish",
    "twine upload dist/*", "uv publish", "docker push o/i", "docker buildx build --push .", "make release", "make -j4 test deploy", "just publish",
    "kubectl apply -f x.yaml", "terraform apply -auto-approve", "vercel deploy --prod", "mvn -B deploy", "poetry publish --build",
    "echo Z2l0IHB1c2g= | base64 -d | sh", 'eval "$(echo Z2l0IHB1c2g= | base64 -d)"', "bash -c \"$(base64 -d <<< Z2l0IHB1c2g=)\"",
    "git $SUB", 'git "$(cat sub)"', "poetry run twine upload dist/*", "uv run twine upload x", "npx semantic-release", "xargs -I{} git push < remotes",
    "ssh-add && git push", "curl -s x | git $(cat)", "GIT_SSH_COMMAND=x git push",
]  # fmt: skip

HONEST = [
    "echo git commit", "echo 'git push'", 'echo "then run git commit -m x"', "printf 'git push\\n'", "grep -rn 'git commit' docs",
    "rg 'git push' .", "cat > hook.sh <<'EOF'\ngit commit\ngit push\nEOF", "cat <<EOF >> README.md\nRun git push.\nEOF", "git commit --help",
    "git help commit", "git push --dry-run", "git push -n origin main", "git commit --dry-run", "man git-commit", "git log --grep=commit",
    "git log --grep 'git push'", "git log origin/main..HEAD", "git log --oneline", "git commit-graph write", "git show HEAD", "git status",
    "git diff --stat", "git branch push", "git checkout -b commit-fix", "git add -A", "git stash push", "git stash", "git fetch origin",
    "git config alias.ci commit", "git config --get push.default", "git rev-parse HEAD", "git tag -l", "git blame x.py", "git pull --ff-only",
    "git merge --abort", "git rebase --abort", "git merge-base main HEAD", "git restore x", "# git commit", "ls # then git push",
    "git remote -v", "git ls-remote", "git", "git --version", "git -C sub status", "npm publish --dry-run", "npm test", "npm run build",
    "npm run test -- push", "npm install", "cargo build --release", "cargo publish --dry-run", "docker build -t push .", "docker ps", "make", "make test",
    "pytest -k 'commit or push'", "pytest tests/test_push.py", "python -c 'print(1)'", "python push.py", "node commit.js", "sed -i 's/git push/git pull/' x",
    "awk '/commit/ {print}' log", "gh pr view 3", "gh pr list", "gh api repos/o/r", "gh api repos/o/r/pulls/3 --method GET", "kubectl get pods", "terraform plan",
    "helm list", "which git", "type git", "command -v git", "history | grep 'git commit'", "tail -f push.log", "vim commit.md", "touch commit push",
    'eval "$(ssh-agent -s)"', 'eval "$(direnv hook bash)"', "x=commit", "echo $(git status)", "sh run_tests.sh", "bash -c 'pytest -q'", "source .venv/bin/activate",
    "git submodule update --init", "git lfs pull", "git notes show", "git push --help", "echo 提交 git push", "xargs rm < list", "find . -name 'push*' -exec ls {} \\;",
    "base64 -d x > y", "echo commit | wc -l", "git cherry-pick --abort", "jq '.push' x.json", "curl https://example.invalid/push",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMIT)
def test_a_commit_is_seen_however_it_is_said(command):
    assert [crossing.door for crossing in crossings(command)][:1] == ["commit"]


@pytest.mark.parametrize("command", PUSH)
def test_a_push_or_a_publication_is_seen_however_it_is_said(command):
    assert "push" in [crossing.door for crossing in crossings(command)]


@pytest.mark.parametrize("command", HONEST)
def test_a_command_that_only_mentions_one_crosses_none(command):
    assert crossings(command) == []


def test_the_lists_are_as_long_as_they_are_said_to_be():
    assert len(set(COMMIT + PUSH)) >= 100
    assert len(set(HONEST)) >= 60


def test_both_lines_of_one_command_are_told_in_order_and_with_their_folder():
    found = crossings("cd sub && git commit -m x && git -C ../other push")
    assert [(c.door, c.folder) for c in found] == [("commit", "sub"), ("push", "../other")]


@given(st.text(max_size=200))
def test_no_text_breaks_the_reading(text):
    crossings(text)


@given(
    st.lists(
        st.sampled_from(
            [
                "git",
                "commit",
                "push",
                "'",
                '"',
                "$(",
                ")",
                "<<EOF\n",
                "EOF",
                "{",
                "}",
                "|",
                ";",
                "\\",
                "\n",
                "`",
                "sh -c",
            ]
        )
    )
)
def test_no_half_written_command_breaks_the_reading(pieces):
    crossings(" ".join(pieces))


def test_a_text_too_long_to_read_crosses():
    assert crossings("echo x;" * 400_000)[0].door == "push"


def test_nesting_ends():
    deep = "git commit"
    for _ in range(30):
        deep = "sh -c " + "'" + deep.replace("'", "'\\''") + "'"
        if len(deep) > 200_000:
            break
    assert crossings(deep)
