# Homebrew: brew install --formula ./mar.rb
class Mar < Formula
  desc "Command line for studios' media"
  homepage "{{site}}"
  version "{{version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{downloads}}/{{macos-arm64}}"
      sha256 "{{macos-arm64 sha256}}"
    end
    on_intel do
      url "{{downloads}}/{{macos-x64}}"
      sha256 "{{macos-x64 sha256}}"
    end
  end

  on_linux do
    on_arm do
      url "{{downloads}}/{{linux-arm64}}"
      sha256 "{{linux-arm64 sha256}}"
    end
    on_intel do
      url "{{downloads}}/{{linux-x64}}"
      sha256 "{{linux-x64 sha256}}"
    end
  end

  def install
    bin.install Dir["mar-*"].first => "mar"
    # Apple Silicon starts only signed programs.
    system "codesign", "--sign", "-", "--force", bin/"mar" if OS.mac?
    generate_completions_from_executable(bin/"mar", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/mar --version").strip
  end
end
